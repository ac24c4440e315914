#!/usr/bin/env bash
# Installs what `make pdf` needs on Debian or Ubuntu: the packages that its own message names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t packages < <(.venv/bin/python -c 'from companion.publish.latex import PACKAGES; print("\n".join(PACKAGES))')
test "${#packages[@]}" -gt 0
sudo apt-get update --quiet
sudo apt-get install --yes --quiet --no-install-recommends "${packages[@]}"
