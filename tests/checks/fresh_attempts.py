"""Ways past the guard and honest look-alikes, written by somebody who had not seen the rules.

Each is a tuple of a name, a kind and files. `ATTEMPTS` are to be kept out, `HARMLESS` let in. The author knew attacks
on skills at large and a table of the techniques an early prototype could follow, but neither the checks, nor what the
documents say of them, nor the sets the rules were written with. Not all attempts are expected to be caught: the set
measures, and is worth less as a measure once rules are written with it in view. Nothing in it is ever run.
"""

from __future__ import annotations

from tests.checks.fresh_form import Attempt
from tests.checks.fresh_harmless import WORDS
from tests.checks.fresh_harmless_code import SCRIPTS
from tests.checks.fresh_memories import MEMORIES, TONGUES
from tests.checks.fresh_prose import PROSE
from tests.checks.fresh_python import PYTHON
from tests.checks.fresh_scripts import HIDDEN, JAVASCRIPT, OTHERS
from tests.checks.fresh_shell import SHELL

ATTEMPTS: tuple[Attempt, ...] = (*PROSE, *MEMORIES, *TONGUES, *SHELL, *PYTHON, *JAVASCRIPT, *OTHERS, *HIDDEN)
HARMLESS: tuple[Attempt, ...] = (*WORDS, *SCRIPTS)
