"""One command of a shell program with its evaluated words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_git.checks import shell_expand
from hermes_git.checks.shell_words import unescape
from hermes_git.checks.taint import Value, join
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

BUNDLE = pattern(r"^-[sSfLkgivIqjlNc#]{1,8}([doFTbHO])(.{0,2000})$", re.S)
"""Short options written together, such as `-fsSLo FILE`: the last one takes the value."""

DURATION = pattern(r"\d{1,9}(?:\.\d{1,9})?[smhd]?")
"""What `timeout` is given before the command."""

UNKNOWN_NAME = "?"
"""Stands for a command whose name cannot be worked out."""


PLACE = pattern(r"%[-+0 #]{0,3}\d{0,4}(?:\.\d{1,4})?[sbdiq]")


def _printed(form: str, texts: list[str]) -> str:
    """Return what `printf` prints: its format once for as many texts as it has places, and again for the rest."""
    places_in_form = len(PLACE.findall(form))
    if not places_in_form:
        return form
    rounds = range(0, max(len(texts), 1), places_in_form)
    parts = [(texts[start : start + places_in_form] + [""] * places_in_form) for start in rounds[:400]]
    return "".join(_filled(form, part) for part in parts)


def _filled(form: str, texts: list[str]) -> str:
    given = iter(texts)
    return PLACE.sub(lambda _match: next(given, ""), form)


@dataclass(frozen=True)
class Call:
    """A command: its base name, its arguments as values, what it reads, and its line in the piece."""

    name: str
    args: tuple[Value, ...]
    stdin: Value
    line: int
    odd: bool = False
    path: str = ""
    head: frozenset[str] = frozenset()

    @classmethod
    def build(cls, words: Sequence[Value], stdin: Value, line: int) -> Call:
        """Build a call from evaluated words; a word that holds blanks after expansion is split as a shell would."""
        parts: list[Value] = []
        for index, word in enumerate(words):
            if index == 0 and (listed := shell_expand.braces(word.text)):
                parts += [word.as_text(part) for part in listed]
            elif " " in word.text.strip() and (index == 0 or word.odd) and word.known:
                parts += [word.as_text(part) for part in word.text.split()]
            else:
                parts.append(word)
        head = parts[0] if parts else Value("")
        rest = tuple(part for part in parts[1:] if part.text.strip() or part.origins)
        path = head.text.strip() or UNKNOWN_NAME
        return cls(path.rsplit("/", 1)[-1], rest, stdin, line, head.odd, path, head.origins)

    @property
    def full(self) -> str:
        """Return the whole command on one line, bounded."""
        return " ".join([self.name, *self.texts])[:4000].replace("\n", " ")

    @property
    def texts(self) -> list[str]:
        """Return the arguments as text."""
        return [arg.text for arg in self.args]

    @property
    def urls(self) -> list[str]:
        """Return the addresses among the arguments."""
        found = []
        for text in self.texts:
            match = places.URL.search(text)
            if match:
                found.append(match.group())
        return found

    @property
    def origins(self) -> frozenset[str]:
        """Return the origins of all arguments together."""
        return frozenset().union(*(arg.origins for arg in self.args)) if self.args else frozenset()

    def without_first(self) -> Call:
        """Return the command that a wrapper such as `sudo` runs: its options and assignments skipped."""
        args = list(self.args)
        while args and (args[0].text.startswith("-") or "=" in args[0].text.split("/")[0]):
            flag = args.pop(0).text
            if flag in ("-u", "-g", "-n", "-I", "-P", "-L", "-a") and args:
                args.pop(0)
        if len(args) > 1 and DURATION.fullmatch(args[0].text):
            args.pop(0)
        if not args:
            return Call("", (), self.stdin, self.line)
        return Call.build(args, self.stdin, self.line)

    def found_by_name(self) -> Value | None:
        """Return the path that `find FOLDER -name NAME` prints, None for a pattern or any other command."""
        texts = self.texts
        if self.name != "find" or "-name" not in texts[:-1] or "-exec" in texts:
            return None
        name = texts[texts.index("-name") + 1]
        path = f"{texts[0].rstrip('/')}/{name}"
        return Value(path, True, self.origins) if name.endswith(".md") and "*" not in name else None

    def for_each_found(self) -> Call | None:
        """Return the command that `find … -exec` runs, `{}` read as the folder that is searched."""
        at = next((index for index, text in enumerate(self.texts) if text in ("-exec", "-execdir", "-ok")), None)
        if at is None:
            return None
        root = self.args[0]
        words = [arg.as_text(arg.text.replace("{}", root.text)) for arg in self.args[at + 1 :] if arg.text not in ";+"]
        return Call.build(words, self.stdin, self.line) if words else None

    def echoed(self) -> Value:
        """Return what `echo` or `printf` prints."""
        args = [arg for arg in self.args if arg.text not in ("-n", "-e", "-ne", "-en", "--")]
        if self.name == "printf" and args:
            form = args[0].text
            if "%" in form:
                rest = join(args[1:])
                return rest.as_text(unescape(_printed(form, [arg.text for arg in args[1:]])), known=rest.known)
            return args[0].as_text(unescape(form), known=args[0].known)
        spaced = [part for arg in args for part in (arg, Value(" "))][:-1]
        value = join(spaced)
        return (
            value.as_text(unescape(value.text))
            if any(a.text.startswith("-") and "e" in a.text for a in self.args[:1])
            else value
        )

    def option(self, names: frozenset[str]) -> list[Value]:
        """Return the values of options, in the forms `-d X`, `--data X`, `--data=X` and `-dX`."""
        found: list[Value] = []
        for index, arg in enumerate(self.args):
            if arg.text in names:
                found += self.args[index + 1 : index + 2]
                continue
            name, equals, value = arg.text.partition("=")
            if equals and name in names and name.startswith("--"):
                found.append(arg.as_text(value, known=arg.known))
            elif not arg.text.startswith("--") and arg.text[:2] in names and len(arg.text) > 2:
                found.append(arg.as_text(arg.text[2:], known=arg.known))
            elif (bundle := BUNDLE.match(arg.text)) and "-" + bundle.group(1) in names:
                rest = bundle.group(2)
                found += [arg.as_text(rest, known=arg.known)] if rest else self.args[index + 1 : index + 2]
        return found
