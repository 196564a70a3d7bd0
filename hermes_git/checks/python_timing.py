"""Branches and loops of a Python program: waiting for a day, leaving when watched, going through a whole home."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hermes_git.checks.python_values import value_of
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import FIXED, NOW, Value
from hermes_git.patterns import python_names as names
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.python_flow import Program

WATCHED = pattern(
    r"vmware|virtualbox|\bqemu\b|hyper-?v\b|\bvbox|sandbox|\bcuckoo\b|gettrace\(\)|debugger|wireshark|\bida\b|\bgdb\b|"
    r"/sys/hypervisor|malware|analyst|isdebuggerpresent|tracerpid"
)
MACHINE = pattern(
    r"cpu_count\(\)|virtual_memory\(\)|getnode\(\)|boot_time\(\)|uptime|disk_usage\(|gethostname\(\)|platform\.node\(\)|"
    r"pyautogui\.position|getcursorpos|\bpids\(\)|tzname|getdefaultlocale|getlocale\(|getkeyboardlayout|len\(sys\.modules\)"
)
"""Facts about a machine from which a program guesses whether somebody watches it."""

ELAPSED = pattern(
    r"(?:time|monotonic|perf_counter|process_time|now|utcnow)(?:_ns)?\(\)\s*-|\belapsed\b|\bdelta\b|\btook\b|\bduration\b"
)
DATED = pattern(r"20[2-9]\d(?:[-/.]\d\d?){0,2}(?:[T ].{0,20})?|(?:1[6-9]|2\d)\d{8}(?:\.\d{1,6})?")
"""A year from now on, a date, or seconds since 1970 that mean one."""

POSTS = pattern(r"\.(?:post|put|patch|sendmail|send_message|sendall|sendto|send|storbinary|put_object|upload_\w+)$")
MAX_CALLS, MAX_FUNCTIONS, MAX_LOOKED = 400, 40, 200
FOLDERS = re.compile(
    r"^(?:~|/|\$HOME|/root|/home|/Users|/mnt|/Volumes|[A-Z]:[\\/]*)(?:/(?:Documents|Desktop|Pictures))?/?$"
)
EVERYTHING = re.compile(r"^(?P<root>.*?)/?\*{1,2}(?:/\*(?:\.\*)?)?$")
FILTERS = re.compile(r"suffix|endswith|startswith|fnmatch|match|\.name\b|\bin\b|[<>]|mtime|size|==|!=")
WIPES = re.compile(r"\b(?:rmtree|unlink|remove|rmdir|removedirs|truncate)\b")
SCRAMBLES = re.compile(r"\.encrypt\(|\bencrypt\w*\(|AES\.new|Fernet\(")


def leaves(body: list[ast.stmt]) -> bool:
    """Say whether a branch ends the program or the function."""
    text = " ".join(ast.unparse(statement)[:200] for statement in body[:3])
    return bool(re.search(r"sys\.exit|os\._exit|raise SystemExit|\bexit\(|quit\(", text))


def _leaves_silently(body: list[ast.stmt]) -> bool:
    """Say whether a branch does nothing but end the program, as if all was well."""
    if len(body) != 1 or not isinstance(body[0], ast.Raise | ast.Expr):
        return False
    text = ast.unparse(body[0])[:80]
    return (
        re.fullmatch(r"(?:(?:sys\.exit|exit|quit)\((?:0|None)?\)|os\._exit\(\d*\)|raise SystemExit(?:\(0?\))?)", text)
        is not None
    )


def branch(program: Program, node: ast.If | ast.While, value: Value) -> None:
    """Look at a branch that leaves when it is watched, or that waits for a day."""
    if not isinstance(node, ast.If):
        return
    test = ast.unparse(node.test)[:400].lower()
    silent = _leaves_silently(node.body)
    if (WATCHED.search(test) and leaves(node.body)) or (silent and MACHINE.search(test)):
        program.sign("HG617", MEDIUM, node, "stops when it is run in a sandbox or under a debugger")
    elif silent and not program.loops and _is_short_time(node.test, test):
        program.sign("HG617", MEDIUM, node, "stops when its own running takes another time than it expects")
    if NOW in value.origins and _is_wanted(program) and _is_dated(program, node.test):
        harm = sorted(name for name in reached(program, [*node.body, *node.orelse]) if _is_harm(name))
        if harm:
            program.sign("HG617", MEDIUM, node, f"waits for a day that is written down, then calls {harm[0]}")
        elif silent:
            program.sign("HG617", MEDIUM, node, "does nothing until a day that is written down")


def _is_wanted(program: Program) -> bool:
    """Say whether another branch or loop is looked at as a whole: so many tell what a program is about."""
    program.looked += 1
    return program.looked <= MAX_LOOKED


def _is_short_time(test: ast.expr, text: str) -> bool:
    numbers = [
        part.value for part in ast.walk(test) if isinstance(part, ast.Constant) and isinstance(part.value, int | float)
    ]
    return isinstance(test, ast.Compare) and ELAPSED.search(text) is not None and any(0 < one <= 60 for one in numbers)


def _is_dated(program: Program, test: ast.expr) -> bool:
    """Say whether a condition compares the clock with a date that is written down."""
    return any(_compares_clock(program, part) for part in _tests(test))


def _tests(test: ast.expr) -> Iterator[ast.expr]:
    """Yield the comparisons of a condition, and names that hold the result of one."""
    for part in ast.walk(test):
        if isinstance(part, ast.Compare | ast.Name):
            yield part


def _compares_clock(program: Program, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return (value := program.lookup(node.id)) is not None and {NOW, FIXED} <= value.origins
    if not isinstance(node, ast.Compare):
        return False
    sides = [value_of(side, program) for side in (node.left, *node.comparators)]
    if not any(NOW in side.origins for side in sides):
        return False
    texts = (re.sub(r"\n(?=\d{1,2}(?:\n|$))", "-", side.text.strip("\n")) for side in sides)
    return any(FIXED in side.origins for side in sides) or any(DATED.fullmatch(text) for text in texts)


def reached(program: Program, body: Iterable[ast.AST]) -> set[str]:
    """Return the full names of what statements call, through functions of the program."""
    found: set[str] = set()
    seen: set[str] = set()
    calls = [_calls(program, part) for part in body]
    while calls and len(seen) < MAX_FUNCTIONS:
        names_called = calls.pop()
        found |= names_called
        for name in names_called:
            plain = name if name in program.functions else name.rsplit(".", 1)[-1]
            if plain in program.functions and plain not in seen:
                seen.add(plain)
                function = program.functions[plain]
                if id(function) not in program.reached:
                    program.reached[id(function)] = frozenset(_calls(program, function))
                calls.append(set(program.reached[id(function)]))
    return found


def _calls(program: Program, body: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(body):
        if isinstance(node, ast.Call):
            found.add(program.dotted(node.func) or (node.func.attr if isinstance(node.func, ast.Attribute) else ""))
            if len(found) > MAX_CALLS:
                break
    return found


def _is_harm(name: str) -> bool:
    sends = names.SENDERS.match(name) is not None and POSTS.search(name) is not None
    removes = name in names.REMOVERS or name.rsplit(".", 1)[-1] in ("rmtree", "unlink")
    return sends or removes or name in names.RUNNERS or name in ("exec", "eval", "builtins.exec", "builtins.eval")


def loop(program: Program, node: ast.For | ast.AsyncFor) -> None:
    """Look at a loop over everything in a home or system folder."""
    if _goes_through_all(program, node.iter) and _is_wanted(program):
        _wiped(program, node, node.body)


def each(program: Program, node: ast.expr, generators: list[ast.comprehension]) -> None:
    """Look at a comprehension over everything in a home or system folder."""
    first = generators[0]
    if not first.ifs and _goes_through_all(program, first.iter):
        made = [part for name in ("elt", "value") if (part := getattr(node, name, None)) is not None]
        _wiped(program, node, made)


def _goes_through_all(program: Program, node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and program.dotted(node.func) in ("list", "sorted", "reversed", "set") and node.args:
        node = node.args[0]
    if not isinstance(node, ast.Call):
        return False
    name = program.dotted(node.func)
    last = node.func.attr if isinstance(node.func, ast.Attribute) else name.rsplit(".", 1)[-1]
    first = value_of(node.args[0], program).text.strip("\n") if node.args else ""
    if last in ("iterdir", "walk") and isinstance(node.func, ast.Attribute) and name.startswith("pathlib."):
        return _is_folder(value_of(node.func.value, program).text)
    if name in ("os.listdir", "os.scandir", "os.walk"):
        return _is_folder(first)
    if name in ("glob.glob", "glob.iglob"):
        match = EVERYTHING.match(first)
        return match is not None and _is_folder(match.group("root") or "/")
    if last in ("glob", "rglob") and isinstance(node.func, ast.Attribute):
        return EVERYTHING.match(first) is not None and _is_folder(value_of(node.func.value, program).text)
    return False


def _is_folder(text: str) -> bool:
    return FOLDERS.match(text.strip("\n")) is not None


def _wiped(program: Program, node: ast.AST, body: Iterable[ast.AST]) -> None:
    body = list(body)
    text = "\n".join(ast.unparse(part)[:4000] for part in body)
    calls = " ".join(name.rsplit(".", 1)[-1] for name in reached(program, body))
    filters = [part.test for top in body for part in ast.walk(top) if isinstance(part, ast.If)]
    weight = WEAK if any(FILTERS.search(ast.unparse(test)[:300]) for test in filters) else STRONG
    if SCRAMBLES.search(text) or "encrypt" in calls.split():
        program.sign("HG618", STRONG, node, "encrypts everything in a home or system folder")
    elif WIPES.search(f"{text} {calls}"):
        program.sign("HG618", weight, node, "removes everything in a home or system folder")
