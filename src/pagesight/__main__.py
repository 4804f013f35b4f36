"""`python -m pagesight`: the command line without the installed script."""

from pagesight.cli import main

if __name__ == "__main__":
    main()
