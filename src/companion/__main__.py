"""Run the command line: `python -m companion`."""

from companion.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    raise SystemExit(main())
