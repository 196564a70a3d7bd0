"""The few questions and requests that a CI job has for GitHub: pull requests, comments, statuses."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPMessage
from typing import IO, Any

from hermes_git.commands.given import given_json
from hermes_git.errors import UserError
from hermes_git.llm.endpoint import is_loopback

TIMEOUT_SECONDS = 30
MAX_ANSWER = 16 * 1024 * 1024
PAGE = 100
MOST_PAGES = 20

SWITCH = (
    "allow it in Settings > Actions > General > Workflow permissions > "
    "“Allow GitHub Actions to create and approve pull requests”, or give the job an App token (docs/ci.md)"
)


@dataclass(frozen=True, slots=True)
class Host:
    """One repository at the host: the API's address, `owner/name`, and a token. All three come from the environment."""

    api: str
    name: str
    token: str

    def get(self, path: str, **query: str | int) -> Any:
        """Ask one question below `/repos/owner/name`; `UserError` when the host refuses."""
        words = urllib.parse.urlencode(query)
        return self._request("GET", f"{path}?{words}" if words else path)

    def rows(self, path: str, **query: str | int) -> Iterator[dict[str, Any]]:
        """Yield the rows of a list, page by page."""
        for page in range(1, MOST_PAGES + 1):
            found = self.get(path, **query, per_page=PAGE, page=page)
            if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
                raise UserError(f"{path} is no list of objects", where=self.api, hint="see GITHUB_API_URL")
            yield from found
            if len(found) < PAGE:
                return
        raise UserError(f"{path} has more than {PAGE * MOST_PAGES:,} rows", hint="close what is no longer needed")

    def send(self, method: str, path: str, body: Mapping[str, object]) -> Any:
        """Send a request with a body and return the answer."""
        return self._request(method, path, json.dumps(body).encode("utf-8"))

    def _request(self, method: str, path: str, body: bytes | None = None) -> Any:
        url = f"{self.api.rstrip('/')}/repos/{self.name}/{path}"
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "hermes-git",
        }
        request = urllib.request.Request(url, data=body, headers=headers, method=method)  # noqa: S310 - see from_environment
        try:
            with urllib.request.build_opener(_StayThere).open(request, timeout=TIMEOUT_SECONDS) as answer:
                data = answer.read(MAX_ANSWER)
                if answer.length:
                    raise http.client.IncompleteRead(data, answer.length)
        except urllib.error.HTTPError as error:
            raise _refused(method, path, error) from error
        except (OSError, http.client.HTTPException) as error:
            said = str(error) or type(error).__name__
            raise UserError(f"{url} does not answer: {said}", hint="see GITHUB_API_URL") from error
        return given_json(data, url, "see GITHUB_API_URL") if data else None


class _StayThere(urllib.request.HTTPRedirectHandler):
    """Follows a renamed repository to its new name, and never takes the token to another host."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        here, there = urllib.parse.urlsplit(req.full_url), urllib.parse.urlsplit(newurl)
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refused(method: str, path: str, error: urllib.error.HTTPError) -> UserError:
    try:
        said = str(json.loads(error.read(65536)).get("message", ""))
    except (ValueError, RecursionError, AttributeError, OSError, http.client.HTTPException):
        said = ""
    hint = SWITCH if "not permitted to create" in said else HINTS.get(error.code, "")
    return UserError(f"GitHub refused {method} {path}: {error.code} {said}".rstrip(), hint=hint)


HINTS = {
    401: "the token is missing or has expired (GITHUB_TOKEN)",
    403: "the job's token may not do this; the permissions of each workflow are listed in docs/ci.md",
    404: "there is no such thing, or the token may not see it (docs/ci.md)",
}


def from_environment(environment: Mapping[str, str]) -> Host:
    """Take repository and token from the environment, as GitHub sets them; `UserError` says which one is missing."""
    api = environment.get("GITHUB_API_URL", "https://api.github.com")
    parts = urllib.parse.urlsplit(api)
    if not (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))):
        raise UserError(f"GITHUB_API_URL is {api!r}", hint="it must begin with https://")
    token = environment.get("GITHUB_TOKEN") or environment.get("GH_TOKEN") or ""
    name = environment.get("GITHUB_REPOSITORY", "")
    for variable, value in (("GITHUB_REPOSITORY", name), ("GITHUB_TOKEN", token)):
        if not value:
            raise UserError(f"{variable} is not set", hint="this command runs in a GitHub workflow (docs/ci.md)")
    return Host(api, name, token)
