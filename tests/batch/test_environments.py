"""Commands on this machine: no secrets in, nothing left behind, within limits; and a container engine that records."""

from __future__ import annotations

import itertools
import os
import stat
import time
from pathlib import Path

import pytest

from hermes_git.batch import places
from hermes_git.batch.environment import USUAL, Bounds, Output
from hermes_git.batch.environment_docker import Docker, Engine, state_of
from hermes_git.batch.environment_local import Local
from hermes_git.batch.places import Places
from hermes_git.errors import UserError
from tests.batch import fake_docker
from tests.batch.test_executor import alive


def local(folder: Path, **bounds: object) -> Local:
    return Local(folder, Bounds(**bounds), allowed=True)  # type: ignore[arg-type]


def test_commands_run_in_the_folder(tmp_path: Path) -> None:
    done = local(tmp_path).run("pwd; echo err >&2; echo 好; exit 3")
    assert (done.output, done.exit_code, done.timed_out) == (f"{tmp_path}\nerr\n好\n", 3, False)
    assert local(tmp_path).run("kill -9 $$").exit_code == 137


def test_nothing_runs_unless_it_is_allowed(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not allowed"):
        Local(tmp_path).run("touch ran")
    assert not (tmp_path / "ran").exists()


def test_secrets_of_the_environment_are_not_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", "hidden-value")
    monkeypatch.setenv("SSH_AUTH_SOCK", "hidden-value")
    done = local(tmp_path).run('env; echo "home is $HOME"')
    assert "hidden-value" not in done.output and f"home is {tmp_path}" in done.output
    names = {line.partition("=")[0] for line in done.output.splitlines() if "=" in line}
    assert names <= {*"PATH LANG LC_ALL LC_CTYPE TZ HOME TMPDIR PWD OLDPWD SHLVL _".split(), "GIT_CONFIG_NOSYSTEM",
                     "GIT_TERMINAL_PROMPT", "PYTHONDONTWRITEBYTECODE", "GIT_CEILING_DIRECTORIES"}  # fmt: skip


def test_a_command_ends_with_all_it_started(tmp_path: Path) -> None:
    start = time.monotonic()
    done = local(tmp_path).run("sleep 300 & echo $! > child; echo started")
    assert done.output == "started\n" and time.monotonic() - start < 10
    late = local(tmp_path, seconds=0.3).run("echo before; sleep 300 & echo $! > other; wait")
    assert late.timed_out and late.exit_code == 124 and late.output == "before\n"
    time.sleep(0.1)
    assert not alive(int((tmp_path / "child").read_text())) and not alive(int((tmp_path / "other").read_text()))


def test_output_that_does_not_end_is_bounded(tmp_path: Path) -> None:
    done = local(tmp_path, seconds=1.0).run("yes 0123456789")
    assert done.timed_out and len(done.output) < 210_000 and "bytes left out" in done.output
    output = Output(limit=30)
    for part in (b"a" * 25, b"b" * 100, b"c" * 5):
        output.add(part)
    assert output.text == "a" * 20 + "\n[… 100 bytes left out …]\n" + "b" * 5 + "c" * 5


@pytest.mark.parametrize(
    ("command", "bounds"),
    [
        ("head -c 3000000 /dev/zero > big; wc -c < big", {"file_size": 1_000_000}),
        ("x=$(head -c 300000000 /dev/zero | tr '\\0' a); echo ${#x}", {"memory": 100 * 1024**2}),
        ("while :; do :; done; echo 300000000", {"cpu_seconds": 1, "seconds": 20}),
    ],
)
def test_limits_hold(tmp_path: Path, command: str, bounds: dict[str, object]) -> None:
    done = local(tmp_path, **bounds).run(command)
    assert not done.timed_out and "3000000" not in done.output


@pytest.fixture
def fake(tmp_path: Path) -> Engine:
    """Return an engine that records its arguments and runs what it is told in the mounted folder."""
    (tmp_path / "work").mkdir()
    return Engine(str(fake_docker.install(tmp_path / "engine")))


def test_a_container_gets_the_folder_and_nothing_else(
    tmp_path: Path, fake: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", "hidden-value")
    monkeypatch.setenv("DOCKER_HOST", "unix:///run/some.sock")
    assert state_of(fake) == ""
    environment = Docker.started(tmp_path / "work", "here/there:1", USUAL, fake, "/testbed")
    done = environment.run("echo 好 > made; cat made; exit 4", 5)
    environment.close()
    assert (done.output, done.exit_code) == ("好\n", 4) and (tmp_path / "work" / "made").exists()
    calls = fake_docker.calls(Path(fake.executable))
    assert [call[0] for call in calls] == ["version", "image", "run", "exec", "rm"]
    started = calls[2]
    pairs = dict(itertools.pairwise(started))
    assert pairs["--network"] == "none" and pairs["--cap-drop"] == "ALL" and pairs["--memory"] == str(USUAL.memory)
    assert pairs["--user"] == f"{os.getuid()}:{os.getgid()}" and pairs["--security-opt"] == "no-new-privileges"
    assert pairs["--mount"] == f"type=bind,source={tmp_path / 'work'},target=/work"
    assert started.count("--mount") == 1 and "--volume" not in started and started.count("--env") == 1
    assert started[-2:] == ["here/there:1", str(6 * 3600)]
    assert calls[3][:5] == ["exec", "--workdir", "/testbed", pairs["--name"], "timeout"]
    assert calls[4] == ["rm", "--force", "--volumes", pairs["--name"]]
    assert "hidden-value" not in (tmp_path / "engine" / "log").read_text()
    assert (
        "EXAMPLE_API_KEY" not in (tmp_path / "engine" / "log").read_text()
        and "DOCKER_HOST" in (tmp_path / "engine" / "log").read_text()
    )


def test_images_are_pulled_once_and_their_absence_is_said(tmp_path: Path, fake: Engine) -> None:
    Docker.started(tmp_path / "work", "new:1", USUAL, Engine(fake.executable, has_network=True))
    assert ["pull", "--quiet", "new:1"] in fake_docker.calls(Path(fake.executable)) and "bridge" in fake_docker.calls(
        Path(fake.executable)
    )[-1]
    assert fake_docker.containers(Path(fake.executable)) != []
    with pytest.raises(UserError, match="cannot pull missing:1"):
        Docker.started(tmp_path / "work", "missing:1", USUAL, fake)
    (tmp_path / "a,b").mkdir()
    with pytest.raises(UserError, match="holds a comma"):
        Docker.started(tmp_path / "a,b", "here/there:1", USUAL, fake)
    for name in ("", "--privileged"):
        with pytest.raises(UserError, match="is no image"):
            Docker.started(tmp_path / "work", name, USUAL, fake)
    assert "cannot start" in state_of(Engine(str(tmp_path / "not-there")))


def test_a_real_container(tmp_path: Path) -> None:
    image = os.environ.get("HERMES_GIT_IMAGE", "python:3.11-slim")
    problem = state_of(Engine())
    if problem:
        pytest.skip(problem)
    environment = Docker.started(tmp_path, image, USUAL, Engine())
    try:
        assert environment.run("echo hi > made; cat made").output == "hi\n"
        assert environment.run("sleep 30", 1).timed_out
    finally:
        environment.close()
    assert (tmp_path / "made").stat().st_uid == os.getuid()


def test_scratch_folders_go_whatever_is_in_them(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "keep").write_text("x")
    root = tmp_path / "root"
    root.mkdir()
    with Places("local", root).scratch("a/../b"[:1]) as folder:
        command = f"mkdir -p a/b; touch a/b/c; ln -s {outside} link; chmod 000 a/b; chmod 000 a"
        assert local(folder).run(command).exit_code == 0
    assert list(root.iterdir()) == [] and (outside / "keep").exists()


def test_only_our_own_leftovers_are_removed(tmp_path: Path) -> None:
    other = tmp_path / "precious"
    other.mkdir()
    places.remove_root(other)
    (tmp_path / f"{places.PREFIX}link").symlink_to(other)
    places.remove_root(tmp_path / f"{places.PREFIX}link")
    places.remove_root(tmp_path / f"{places.PREFIX}gone")
    assert other.is_dir()
    root = places.new_root()
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    places.remove_root(root)
    assert not root.exists()
