"""Calls of a Python program that speak to another machine: what leaves, and where to."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import (
    ACCOUNT,
    KEY,
    LEAKS,
    LISTING,
    UNKNOWN,
    Value,
    describe,
    file_origins,
    together,
)
from hermes_git.patterns import places
from hermes_git.patterns import python_names as names
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.python_calls import Called
    from hermes_git.checks.python_flow import Program

POSTING = pattern(r"\.(?:post|put|patch|sendmail|send_message|upload_file|sendBeacon)$")
UPLOADERS = pattern(
    r"\.(?:put|upload_file|upload_from_filename|upload_fileobj|fput_object|upload_folder|files_upload)$"
)
"""Calls that are given the path of what they send."""

NOT_CONTENT = frozenset(
    "headers auth cookies verify timeout cert credentials aws_access_key_id aws_secret_access_key aws_session_token "
    "api_key token proxies".split()
)
"""Named arguments by which a caller says who it is."""

DIALS = pattern(
    r"^socket\.(?:\w+\.)*(?:connect|connect_ex|create_connection|sendto)$|^asyncio\.open_connection$|"
    r"^http\.client\.HTTPS?Connection$|^(?:paramiko|telnetlib|ftplib|smtplib)\.(?:\w+\.)*(?:connect|Telnet|FTP|SMTP)$"
)
RESOLVERS = frozenset("8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 114.114.114.114".split())
"""Name servers of the public, which programs ask by number."""

MANY_OWNERS = 3
"""Owners of keys from which on keys are a collection, and no longer the way to log in somewhere."""


def look(program: Program, called: Called) -> None:
    """Look at one call by its full name."""
    if DIALS.match(called.name):
        number = next((text for text in re.split(r"[\n:]", called.given.text) if is_public_number(text)), "")
        program.dialled = number or program.dialled
    if names.SENDERS.match(called.name):
        _sent(program, called)


def is_public_number(host: str) -> bool:
    """Say whether a host is written as the number of a machine on the public network."""
    try:
        address = ipaddress.ip_address(host.strip("[]\"' "))
    except ValueError:
        return False
    local = address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified
    shared = address in ipaddress.ip_network("100.64.0.0/10")
    home = any(address in ipaddress.ip_network(net) for net in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
    return address.version == 4 and not (local or shared or home or str(address) in RESOLVERS)


def _sent(program: Program, called: Called) -> None:
    node, name, args, given = called.node, called.name, called.args, called.given
    url = next((match.group() for match in [places.URL.search(given.text)] if match), "")
    has_body = any(keyword.arg in ("data", "json", "files", "content", "body") for keyword in node.keywords)
    posts = POSTING.search(name) or has_body or (name.endswith("urlopen") and len(args) > 1)
    if url:
        program.found.fact("host", places.host_of(url), program.line(node))
        if posts:
            program.found.fact("sends", places.host_of(url), program.line(node))
    uploads = UPLOADERS.search(name) and not url
    paths = [program.read(arg).origins | file_origins(arg.text) for arg in args] if uploads else []
    content = _content(called)
    kinds = given.origins.union(*paths) & LEAKS | content.origins & {ACCOUNT}
    host = places.host_of(url) or "another machine"
    if places.LOCAL.match(url):
        return
    if kinds:
        program.sign("HG611", STRONG, node, f"sends {describe(kinds)} to {host}")
    elif len(_owners(content)) >= MANY_OWNERS:
        program.sign("HG611", STRONG, node, f"sends the keys of several services to {host}")
    elif _is_drop(url, called):
        program.sign("HG611", MEDIUM, node, f"posts data to {host}, which anybody may read")
    elif posts and is_public_number(places.host_of(url)):
        weight = STRONG if KEY in content.origins else WEAK if program.found.piece.before else MEDIUM
        program.sign("HG611", weight, node, f"posts data to {host}, a machine without a name")
    elif not url and program.dialled and _is_plain_send(called):
        weight = WEAK if program.found.piece.before or content.known else MEDIUM
        program.sign("HG611", weight, node, f"sends data to {program.dialled}, a machine without a name")
    elif LISTING in given.origins and url and name.endswith((".post", ".put", ".urlopen", ".Request")):
        program.sign("HG611", WEAK, node, f"sends facts about the machine to {host}")


def _is_plain_send(called: Called) -> bool:
    """Say whether a call sends over a connection whose other end was named before."""
    if called.name.startswith("http.client."):
        return bool(called.args) and called.args[0].text in ("POST", "PUT", "PATCH")
    return re.search(r"^(?:socket|ftplib|smtplib)\.(?:\w+\.)*(?:send\w*|stor\w+)$", called.name) is not None


def _content(called: Called) -> Value:
    """Return what a call sends, without that by which it says who it is."""
    parts = [*called.args, *(value for key, value in called.named.items() if key not in NOT_CONTENT)]
    return together(parts) if parts else UNKNOWN


def _owners(content: Value) -> set[str]:
    """Return the owners of the keys in a value: the first words of the names of variables."""
    return {origin[4:].split("_")[0].upper() for origin in content.origins if origin.startswith("key=")}


def _is_drop(url: str, called: Called) -> bool:
    """Say whether something is posted to a place where anybody may read it."""
    if not places.DROP_HOSTS.search(url) or not re.search(r"\.(?:post|put|urlopen|request)$", called.name):
        return False
    return len(called.args) + len(called.node.keywords) > 1
