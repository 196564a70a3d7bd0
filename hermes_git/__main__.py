"""`python -m hermes_git`: the command line, for hooks that know an interpreter but no script."""

from hermes_git.cli import entry

if __name__ == "__main__":
    entry()
