"""What single shell commands do to values: filters that decode, commands that read, and those that send."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hermes_git.checks import decode
from hermes_git.checks.taint import DECODED, ENVIRONMENT, KEY, LISTING, NETWORK, PRIVATE, SECRET, Value
from hermes_git.patterns.lazy import pattern

SHELLS = frozenset("sh bash zsh dash ksh ash fish".split())
INTERPRETERS = frozenset(
    "python python2 python3 pypy3 perl ruby node deno bun php lua osascript pwsh powershell tclsh Rscript".split()
)
DOWNLOADERS = frozenset("curl wget aria2c fetch http https xh lynx w3m axel".split())
RAW_SENDERS = frozenset("nc ncat netcat socat telnet openssl ssh".split())
COPIERS = frozenset(
    "scp rsync sftp ftp lftp rclone restic borg kopia duplicity s3cmd gsutil azcopy croc magic-wormhole "
    "wormhole".split()
)
LOOKUPS = frozenset("dig nslookup host drill ping ping6 traceroute getent resolvectl".split())
MAILERS = frozenset("mail mailx sendmail mutt swaks msmtp ssmtp".split())
READERS = frozenset(
    "cat head tail less more tac nl strings grep egrep rg awk gawk sed cut sort uniq tr base64 xxd od hexdump gzip "
    "bzip2 xz zip tar 7z openssl gpg jq yq python3 find cp dd tee paste fold split rev basenc zstd uuencode sqlite3 "
    "bat column wc".split()
)
PRIVATE_SOURCES = {
    "pbpaste": PRIVATE, "xclip": PRIVATE, "xsel": PRIVATE, "wl-paste": PRIVATE, "Get-Clipboard": PRIVATE,
    "screencapture": PRIVATE, "scrot": PRIVATE, "grim": PRIVATE, "gnome-screenshot": PRIVATE, "imagesnap": PRIVATE,
    "history": PRIVATE, "fc": PRIVATE, "env": ENVIRONMENT, "printenv": ENVIRONMENT, "export": ENVIRONMENT,
    "set": ENVIRONMENT, "declare": ENVIRONMENT, "hostname": LISTING, "whoami": LISTING, "uname": LISTING, "id": LISTING,
    "ls": LISTING, "ps": LISTING, "ifconfig": LISTING, "ip": LISTING,
}  # fmt: skip
"""Commands whose output tells about the person, the environment or the machine."""

SECRET_COMMANDS = pattern(
    r"^(?:aws configure export|"
    r"security (?:find-(?:generic|internet)-password|dump-keychain|export)|gpg2? .*--export-secret|"
    r"secret-tool search|kwallet-query|op item list|bw list|docker-credential-\w+ get|cmdkey /list|"
    r"kubectl (?:get|config view).*(?:secret|raw)|"
    r"helm get (?:values|all)|lastpass|keyctl|ssh-add -L|cat /proc/\S*environ)\b"
)
"""Commands that print credentials of the whole account."""

KEY_COMMANDS = pattern(
    r"^(?:pass show|secret-tool lookup|op (?:item get|read)|bw get|aws configure get|gh auth token|"
    r"gcloud auth (?:print-|application-default print)|az account get-access-token|vault (?:kv|read)|"
    r"git credential fill)\b"
)
"""Commands that print the one key that a call needs."""

Filter = Callable[[Value, Sequence[str]], Value | None]


def _base64(value: Value, args: Sequence[str]) -> Value | None:
    if not any(arg in ("-d", "-D", "--decode", "-di", "-id") for arg in args):
        return value.as_text(value.text, known=False)
    text = decode.as_text(decode.from_base64(value.text)) if value.known else ""
    return value.as_text(text or "", known=bool(text)).marked(DECODED)


def _hex(value: Value, args: Sequence[str]) -> Value | None:
    if not any("r" in arg for arg in args if arg.startswith("-")):
        return value.as_text("", known=False)
    text = decode.as_text(decode.from_hex(value.text)) if value.known else ""
    return value.as_text(text, known=bool(text)).marked(DECODED)


def _rev(value: Value, _args: Sequence[str]) -> Value | None:
    return value.as_text("\n".join(line[::-1] for line in value.text.split("\n")), known=value.known).marked(DECODED)


def _tr(value: Value, args: Sequence[str]) -> Value | None:
    plain = [arg for arg in args if not arg.startswith("-")]
    if len(plain) == 2 and "N-Z" in plain[1].upper():
        return value.as_text(decode.rot13(value.text), known=value.known).marked(DECODED)
    if len(plain) == 2 and len(plain[0]) == len(plain[1]) and "-" not in plain[0]:
        return value.as_text(value.text.translate(str.maketrans(plain[0], plain[1])), known=value.known)
    if "-d" in args and len(plain) == 1 and "-" not in plain[0]:
        return value.as_text("".join(char for char in value.text if char not in decode_escapes(plain[0])))
    return value.as_text(value.text, known=False)


def decode_escapes(text: str) -> str:
    """Return the characters that an argument of `tr` names."""
    return text.replace("\\n", "\n").replace("\\t", "\t")


def _inflate(value: Value, args: Sequence[str]) -> Value | None:
    return value.as_text("", known=False).marked(DECODED) if any("d" in arg for arg in args) else value


def _gunzip(value: Value, _args: Sequence[str]) -> Value | None:
    return value.as_text("", known=False).marked(DECODED)


def _openssl(value: Value, args: Sequence[str]) -> Value | None:
    if "-d" in args or "rsautl" in args:
        if "base64" in args or "-base64" in args:
            return _base64(value, ["-d"])
        return value.as_text("", known=False).marked(DECODED)
    return value.as_text(value.text, known=False)


FILTERS: dict[str, Filter] = {
    "base64": _base64,
    "gbase64": _base64,
    "base32": _gunzip,
    "xxd": _hex,
    "rev": _rev,
    "tac": lambda value, _args: value,
    "tr": _tr,
    "gzip": _inflate,
    "gunzip": _gunzip,
    "zcat": _gunzip,
    "xz": _inflate,
    "bzip2": _inflate,
    "uudecode": _gunzip,
    "openssl": _openssl,
    "cat": lambda value, _args: value,
    "tee": lambda value, _args: value,
    "head": lambda value, _args: value,
    "tail": lambda value, _args: value,
}
"""Command → what it makes of its input."""

DATA_OPTIONS = frozenset(
    "-d --data --data-binary --data-raw --data-urlencode --data-ascii -F --form --form-string -T --upload-file --json "
    "--post-data --post-file --body-data --body-file".split()
)
UPLOAD_OPTIONS = frozenset("-T --upload-file --post-file --body-file".split())
OUTPUT_OPTIONS = frozenset("-o --output -O --output-document".split())


TALKERS = frozenset("dig host nslookup drill nc ncat netcat telnet".split())
"""Commands that print what another machine answers."""

ACCOUNT_COMMANDS = pattern(
    r"^(?:gh auth token|git credential fill|gcloud auth (?:print-|application-default print)|"
    r"az account get-access-token|kubectl create token)\b"
)
"""Commands that print a credential of the person's account with a service."""

ROOT, ACCOUNT = "root", "account"
"""Origins of all files below a home or the root, and of a credential of the person's account."""

EVERYTHING = pattern(r"^(?:/|~|\$HOME|/home/\S*|/Users/\S*)/?$")


def is_source(name: str, args: Sequence[str]) -> frozenset[str]:
    """Return the origins of what a command prints, as its name and arguments tell."""
    if SECRET_COMMANDS.match(" ".join((name, *args))):
        return frozenset((SECRET,))
    if KEY_COMMANDS.match(" ".join((name, *args))):
        return frozenset((KEY, ACCOUNT)) if ACCOUNT_COMMANDS.match(" ".join((name, *args))) else frozenset((KEY,))
    if name in ("zenity", "kdialog", "ssh-askpass", "yad") and "passw" in " ".join(args).lower():
        return frozenset((PRIVATE,))
    if name in TALKERS or (name == "openssl" and "s_client" in args) or (name == "ssh" and "cat" in args):
        return frozenset((NETWORK,))
    origin = PRIVATE_SOURCES.get(name)
    if origin == ENVIRONMENT:
        plain = [arg for arg in args if arg not in ("-p", "-x", "-0", "--null")]
        return frozenset((ENVIRONMENT,)) if not plain else frozenset()
    return frozenset((origin,)) if origin else frozenset()


def downloads(name: str) -> frozenset[str]:
    """Return the origin of what a downloader prints."""
    return frozenset((NETWORK,)) if name in DOWNLOADERS else frozenset()
