#!/usr/bin/env bash
# Installs what `make pdf` needs on Debian or Ubuntu: XeLaTeX and latexmk, with styles and fonts.
set -euo pipefail

sudo apt-get update --quiet
sudo apt-get install --yes --quiet --no-install-recommends texlive-xetex latexmk texlive-latex-recommended \
  texlive-latex-extra texlive-fonts-recommended fonts-lmodern fonts-freefont-otf
