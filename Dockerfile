# The book in a container: what `make book` needs, the book built, and a server for it, as a user without privileges.
#
#   docker build --tag mollified .
#   docker run --rm --publish 8000:8000 mollified      then open http://localhost:8000/
#   docker run --rm --interactive --tty mollified bash  for make test-fast, make figure FIG=<id>, ...
#
# On Linux the default wheel of PyTorch brings CUDA packages, several GB that the book does not use. To leave them out,
# name the index of CPU wheels that PyTorch's page on installation gives: --build-arg PIP_EXTRA_INDEX_URL=<address>.
FROM python:3.11-slim

# The book pins every package that computes; make and git may be any version that Debian has.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 reader \
    && install --directory --owner=reader --group=reader /srv/mollified

USER 1000:1000
WORKDIR /srv/mollified
ENV PIP_NO_CACHE_DIR=1

# The environment first, so that it is made again only where what it is made from changes.
ARG PIP_EXTRA_INDEX_URL
COPY --chown=reader:reader requirements.lock pyproject.toml setup.py Makefile README.md LICENSE LICENSE-TEXT ./
COPY --chown=reader:reader tools tools
COPY --chown=reader:reader src src
RUN make env PYTHON=python3

COPY --chown=reader:reader . .
RUN make book PYTHON=python3

EXPOSE 8000
CMD [".venv/bin/python", "-m", "http.server", "8000", "--directory", "_build/html"]
