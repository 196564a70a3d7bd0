"""A shell program followed without running it: variables, functions, files, pipes; what flows from where to where.

Work is counted in commands.
"""

from __future__ import annotations

from typing import Any

from hermes_git.checks import grammar, shell_words
from hermes_git.checks import shell_rules as rules
from hermes_git.checks.shell_call import Call
from hermes_git.checks.shell_commands import FILTERS, READERS, downloads, is_source
from hermes_git.checks.shell_misuse import is_packed
from hermes_git.checks.sign import Found
from hermes_git.checks.taint import EMPTY, UNKNOWN, Value, file_origins, join

MAX_COMMANDS = 6000
MAX_DEPTH = 40

GROUPS = frozenset(
    "program list subshell compound_statement do_group if_statement while_statement elif_clause else_clause "
    "case_statement case_item negated_command ERROR".split()
)


def analyse(text: str, found: Found) -> None:
    """Follow shell text and fill in what it does; prompts such as `$ ` at the start of lines are taken off."""
    source = rules.without_prompts(text)
    root = grammar.root("shell", source, found.work)
    if root is None:
        found.incomplete = "the shell text is too tangled to be parsed"
        return
    program = Program(found)
    program.run(root, EMPTY)
    if program.count > MAX_COMMANDS:
        found.incomplete = f"more than {MAX_COMMANDS:,} shell commands"
    rules.at_end(program, root, source)


class Program:
    """The state of a program that is followed: variables, functions, what files hold, and what was found."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.variables: dict[str, Value] = {}
        self.functions: dict[str, Any] = {}
        self.aliases: dict[str, str] = {}
        self.files: dict[str, Value] = {}
        self.locked: set[str] = set()
        self.remotes: set[str] = set()
        self.unpacked: dict[str, Value] = {}
        self.folder = ""
        self.count = 0
        self.depth = 0

    def lookup(self, name: str) -> Value | None:
        """Return the value of a variable, or None."""
        return self.variables.get(name)

    def inherited(self, name: str, node: Any) -> None:
        """Note that a variable of the environment is read."""
        if name.isupper() and len(name) > 1:
            self.found.fact("env", name[:100], node.start_point[0] + 1)

    def substitute(self, node: Any) -> Value:
        """Return what a substitution prints."""
        printed = join([self.run(child, EMPTY) for child in node.named_children])
        spelt = printed.known and not printed.origins and shell_words.SPELT.fullmatch(printed.text.strip())
        return Value(printed.text, True, odd=True) if spelt else printed

    def word(self, node: Any) -> Value:
        """Return the value of a word."""
        return shell_words.value_of(node, self)

    def run(self, node: Any, stdin: Value) -> Value:
        """Follow one node and return what it prints."""
        if self.count > MAX_COMMANDS or self.depth > MAX_DEPTH:
            return UNKNOWN
        self.depth += 1
        try:
            return self._run(node, stdin)
        finally:
            self.depth -= 1

    def _run(self, node: Any, stdin: Value) -> Value:
        kind = node.type
        if kind == "command":
            return self._command(node, stdin, [])
        if kind == "pipeline":
            rules.pipe(self, node)
            for child in node.named_children:
                stdin = self.run(child, stdin)
            return stdin
        if kind == "redirected_statement":
            return self._redirected(node, stdin)
        if kind in ("variable_assignment", "declaration_command", "variable_assignments"):
            return self._assign(node)
        if kind == "function_definition":
            return self._define(node)
        if kind == "for_statement":
            return self._loop(node, stdin)
        if kind == "while_statement":
            rules.loop(self, node)
        if kind in GROUPS:
            return self._group(node, stdin)
        if node.named_child_count and kind not in ("comment", "heredoc_body", "test_command"):
            return self._group(node, stdin)
        return EMPTY

    def _group(self, node: Any, stdin: Value) -> Value:
        printed = [self.run(child, stdin) for child in node.named_children]
        known = [value for value in printed if value.text or value.origins]
        return join(known) if known else EMPTY

    def _assign(self, node: Any) -> Value:
        parts = [node] if node.type == "variable_assignment" else node.named_children
        for part in parts:
            name, value = part.child_by_field_name("name"), part.child_by_field_name("value")
            if part.type == "variable_assignment" and name is not None:
                before = self.variables.get(shell_words.text_of(name), EMPTY)
                result = self.word(value) if value is not None else EMPTY
                appended = b"+=" in part.text[: len(name.text) + 2]
                self.variables[shell_words.text_of(name)] = before.plus(result) if appended else result
                rules.assigned(self, shell_words.text_of(name), result, part.start_point[0] + 1)
        return EMPTY

    def _define(self, node: Any) -> Value:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self.functions[shell_words.text_of(name)] = body
            rules.defined(self, shell_words.text_of(name), body)
            self.run(body, EMPTY)
        return EMPTY

    def _loop(self, node: Any, stdin: Value) -> Value:
        variable, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        values = [self.word(child) for child in node.children_by_field_name("value")]
        if variable is not None:
            joined = join([value.plus(Value(" ")) for value in values]) if values else UNKNOWN
            self.variables[shell_words.text_of(variable)] = joined
        rules.loop(self, node)
        return self.run(body, stdin) if body is not None else EMPTY

    def _redirected(self, node: Any, stdin: Value) -> Value:
        body = node.child_by_field_name("body")
        outputs: list[tuple[str, str]] = []
        after: list[Any] = []
        for redirect in node.children_by_field_name("redirect"):
            stdin = self._redirect(redirect, stdin, outputs, after)
        if body is None:
            printed = stdin
        elif body.type == "command":
            printed = self._command(body, stdin, outputs)
        else:
            printed = self.run(body, stdin)
        line = node.start_point[0] + 1
        for operator, path in outputs:
            rules.written(self, path, printed, operator, line)
            kept = self.files.get(path, EMPTY) if operator == ">>" else EMPTY
            self.files[path] = kept.plus(printed)
        for child in after:
            printed = self.run(child, printed)
        return printed if not outputs else EMPTY

    def _redirect(self, node: Any, stdin: Value, outputs: list[tuple[str, str]], after: list[Any]) -> Value:
        """Take one redirection in: an input changes what is read, an output is noted."""
        if node.type == "heredoc_redirect":
            for child in node.named_children:
                if child.type == "heredoc_body":
                    stdin = self._heredoc(child)
                elif child.type in ("pipeline", "command", "list", "redirected_statement"):
                    after.append(child)
                elif child.type == "file_redirect":
                    stdin = self._redirect(child, stdin, outputs, after)
            return stdin
        if node.type == "herestring_redirect":
            return join([self.word(child) for child in node.named_children])
        operator = next((child.type for child in node.children if not child.is_named), ">")
        descriptor = next(
            (shell_words.text_of(child) for child in node.children if child.type == "file_descriptor"), ""
        )
        for child in node.children_by_field_name("destination"):
            target = self.word(child)
            if operator in ("<", "<<<"):
                stdin = self.read(target) if child.type != "process_substitution" else target
            elif child.type != "number" and "&" not in operator[-1:] and descriptor in ("", "1"):
                outputs.append((operator, target.text))
            if "/dev/tcp/" in target.text or "/dev/udp/" in target.text:
                rules.socket(self, target, stdin, node.start_point[0] + 1)
        return stdin

    def _heredoc(self, node: Any) -> Value:
        return self.word(node) if node.named_child_count else Value(shell_words.text_of(node))

    def read(self, path: Value) -> Value:
        """Return what reading a file gives: what was written to it here, and where it stands."""
        name = path.text.strip("\"'").removeprefix("@")
        kept = self.files.get(name, UNKNOWN)
        origins = file_origins(name) | path.origins
        if self.folder and "/" not in name:
            origins |= file_origins(self.folder + "/" + name)
        return Value(kept.text, kept.known and name in self.files, kept.origins | origins, kept.urls, path.odd)

    def _command(self, node: Any, stdin: Value, outputs: list[tuple[str, str]]) -> Value:
        self.count += 1
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assign(child)
        for redirect in node.children_by_field_name("redirect"):
            stdin = self._redirect(redirect, stdin, outputs, [])
        name = node.child_by_field_name("name")
        if name is None:
            return EMPTY
        words = [self.word(child) for child in (name, *node.children_by_field_name("argument"))]
        call = Call.build(words, stdin, node.start_point[0] + 1)
        if call.name == "alias":
            self.aliases.update((text.partition("=")[0], text.partition("=")[2]) for text in call.texts)
        elif call.name in self.aliases:
            call = Call.build([Value(self.aliases[call.name]), *call.args], stdin, call.line)
        if call.name in self.functions and self.depth < MAX_DEPTH // 2:
            return self._call_function(call)
        if call.name == "read" and (call.stdin.origins or call.stdin.text):
            self._read(call)
        rules.called(self, call)
        return self.printed(call)

    def _read(self, call: Call) -> None:
        """Give the words of the input to the names that `read` is given."""
        names = [text for text in call.texts if not text.startswith("-")]
        words = call.stdin.text.split() if call.stdin.known and len(names) > 1 else []
        for number, name in enumerate(names):
            text = words[number] if number < len(words) else "" if words else call.stdin.text
            self.variables[name] = call.stdin.as_text(text, known=call.stdin.known)

    def _call_function(self, call: Call) -> Value:
        """Run a function with its arguments as $1, $2, …"""
        kept = dict(self.variables)
        for number, value in enumerate(call.args, start=1):
            self.variables[str(number)] = value
        self.variables["@"] = join(list(call.args))
        body = self.functions.pop(call.name)
        printed = self.run(body, call.stdin)
        self.functions[call.name] = body
        self.variables = {**self.variables, **kept}
        return printed

    def printed(self, call: Call) -> Value:
        """Return what a command prints, as far as that is known."""
        name, texts = call.name, call.texts
        if name in ("echo", "printf", "print"):
            return call.echoed()
        origins = is_source(name, texts) | (frozenset() if set(texts) & {"...", "…"} else downloads(name))
        if origins:
            return Value("", False, origins | call.origins, tuple(call.urls))
        if name in FILTERS or name in READERS:
            return self._filtered(call)
        if name in ("sudo", "command", "env", "nohup", "time", "exec", "xargs", "builtin") and call.args:
            return self.printed(call.without_first())
        return Value("", False, call.stdin.origins | is_packed(name, texts), call.stdin.urls)

    def _filtered(self, call: Call) -> Value:
        """Return what a command that passes data on prints: its files, or its input, changed as it changes them."""
        if (named := call.found_by_name()) is not None:
            return named.marked(*is_packed(call.name, call.texts))
        files = [self.read(arg) for arg in call.args if arg.text and not arg.text.startswith("-")]
        value = join(files).plus(Value("", False)) if files and not call.stdin.text else call.stdin
        if call.name == "cat" and files:
            value = join(files)
        for arg in call.args:
            value = value.marked(*arg.origins)
        for one in (*files, call.stdin):
            value = value.plus(Value("", value.known, one.origins, one.urls))
        change = FILTERS.get(call.name)
        result = change(call.stdin if call.stdin.text else value, call.texts) if change else None
        if result is None:
            return value.as_text(value.text, known=False).marked(*is_packed(call.name, call.texts))
        return result.marked(*value.origins, *is_packed(call.name, call.texts))
