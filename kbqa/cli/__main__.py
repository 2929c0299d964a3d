"""`python -m kbqa.cli` is `kbqa`."""

from kbqa.cli import main

if __name__ == "__main__":
    main()
