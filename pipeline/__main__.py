"""`python -m pipeline`, and the console script `saitei`."""

from __future__ import annotations

from pipeline.cli import run_cli


def main() -> None:
    """Run the command line and leave with its exit code."""
    raise SystemExit(run_cli())


if __name__ == "__main__":
    main()
