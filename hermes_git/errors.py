"""What can go wrong in a way that a person can mend, and the exit codes of the command line."""

OK = 0
FINDINGS = 1
USER_ERROR = 2
OUR_BUG = 3
INTERRUPTED = 130
PIPE_CLOSED = 141


class UserError(Exception):
    """A mistake or a circumstance that the person at the keyboard can fix: what, where, and what to do next."""

    def __init__(self, message: str, *, hint: str = "", where: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where

    def __str__(self) -> str:
        """Render as one to two lines: `where: message`, then the hint."""
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head}\n  {self.hint}" if self.hint else head
