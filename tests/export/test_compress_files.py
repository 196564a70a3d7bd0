from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from hermes_git.cli import main
from hermes_git.export import compress_files
from hermes_git.tokens import choose
from hermes_git.trajectories import config as configuration
from hermes_git.trajectories.policy import policy
from tests.export.test_formats import export
from tests.trajectories.rows import hermes, sharegpt
from tests.trajectories.test_atif_steps import FULL


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def run(tmp_path: Path, *args: str) -> int:
    return main(["compress", "-C", str(tmp_path), *args])


def test_file_to_file(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(hermes(), hermes(2, size=10), sharegpt()))
    assert run(tmp_path, "in.jsonl", "out.jsonl", "--budget", "4000") == 0
    out = (tmp_path / "out.jsonl").read_bytes().splitlines()
    report = json.loads((tmp_path / "out_metrics.json").read_bytes())
    assert len(out) == report["rows_in"] == report["rows_out"] == 3
    assert out[1] + b"\n" == lines(hermes(2, size=10))
    assert report["summary"]["trajectories_compressed"] == 2
    assert json.loads(out[0])["compression_metrics"]["was_compressed"] is True


def test_folder_to_folder_and_packed_input(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.jsonl").write_bytes(lines(hermes()))
    (tmp_path / "in/b.jsonl.gz").write_bytes(gzip.compress(lines(hermes())))
    assert run(tmp_path, "in", "out", "--budget", "4000") == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "a.jsonl",
        "b.jsonl",
        "compression_metrics.json",
    ]
    assert (tmp_path / "out/a.jsonl").read_bytes() == (tmp_path / "out/b.jsonl").read_bytes()


def test_what_an_export_writes_in_any_format_is_read(tmp_path: Path) -> None:
    pytest.importorskip("zstandard", reason="the extra zst is not installed")
    pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
    made = {"jsonl": "jsonl", "zst": "jsonl.zst", "parquet": "parquet"}
    for form, suffix in made.items():
        export(tmp_path / form, form, "hermes")
        assert run(tmp_path, f"{form}/trajectory_samples.{suffix}", f"{form}.jsonl", "--budget", "900") == 0
        assert main(["trajectory", "stats", str(tmp_path / form)]) == 0
    plain, *others = (
        [json.loads(line) for line in (tmp_path / f"{form}.jsonl").read_bytes().splitlines()] for form in made
    )
    assert plain
    assert all(other == plain for other in others)


def test_documents_are_rows_and_what_is_none_is_sent_to_the_import(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "trajectory.json").write_text(json.dumps(FULL, indent=2), encoding="utf-8")
    assert run(tmp_path, "trajectory.json", "--budget", "1500") == 0
    (row,) = [json.loads(line) for line in (tmp_path / "trajectory_compressed.jsonl").read_bytes().splitlines()]
    assert row["extra"]["compression_metrics"]["was_compressed"]
    (tmp_path / "rows.json").write_text(json.dumps([hermes(), {"traj": []}]), encoding="utf-8")
    assert run(tmp_path, "rows.json", "rows.jsonl", "--budget", "4000") == 1
    assert len((tmp_path / "rows.jsonl").read_bytes().splitlines()) == 1
    (tmp_path / "tau.json").write_text('[{"traj": []}]', encoding="utf-8")
    capsys.readouterr()
    assert run(tmp_path, "tau.json", "tau.jsonl", "--budget", "4000") == 1
    assert "session import" in capsys.readouterr().err
    (tmp_path / "cut.json").write_text('[{"traj"', encoding="utf-8")
    assert run(tmp_path, "cut.json", "cut.jsonl", "--budget", "4000") == 2
    assert "cut.json: not valid JSON" in capsys.readouterr().err
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_the_trainers_that_refuse_what_was_made_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(hermes(), sharegpt()))
    assert run(tmp_path, "in.jsonl", "out.jsonl", "--budget", "4000") == 0
    assert json.loads((tmp_path / "out_metrics.json").read_bytes())["refused_by"] == ["llamafactory", "axolotl"]
    assert "1 rows have a human turn as their summary; llamafactory and axolotl refuse them" in capsys.readouterr().err
    assert run(tmp_path, "in.jsonl", "out.jsonl", "--budget", "4000", "--summary-turn", "fold") == 0
    assert json.loads((tmp_path / "out_metrics.json").read_bytes())["refused_by"] == []
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert [row["compression_metrics"]["summary_turn"] for row in rows] == ["fold", "fold"]


def test_damaged_lines_are_named_counted_and_change_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"\xef\xbb\xbf" + lines(hermes()) + b'{"cut\n\n' + lines({"text": "no row"}))
    assert run(tmp_path, "in.jsonl", "out.jsonl", "--budget", "4000") == 1
    report = json.loads((tmp_path / "out_metrics.json").read_bytes())
    dropped = report["summary"]["trajectories_dropped"]
    assert report["rows_in"] == 3 == report["rows_out"] + sum(dropped.values())
    assert dropped == {"no conversations or messages": 1, "not valid JSON": 1}
    assert "in.jsonl:2: not valid JSON" in capsys.readouterr().err


def test_configuration_is_honoured_and_what_is_not_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(hermes()))
    (tmp_path / "c.yaml").write_text(
        "compression: {target_max_tokens: 4000}\noutput: {add_summary_notice: true, summary_notice_text: ' N.'}\n"
        "summarization: {base_url: https://example.invalid}\nmetrics: {per_trajectory: false}\n",
        encoding="utf-8",
    )
    assert run(tmp_path, "in.jsonl", "--config", "c.yaml") == 0
    row = json.loads((tmp_path / "in_compressed.jsonl").read_bytes())
    assert row["conversations"][0]["value"] == "s N."
    assert "compression_metrics" not in row
    assert "ignored summarization.base_url: only your own configuration" in capsys.readouterr().err


def test_rows_over_the_budget_can_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(hermes()))
    (tmp_path / "c.yaml").write_text("processing: {save_over_limit: false}", encoding="utf-8")
    assert run(tmp_path, "in.jsonl", "out.jsonl", "--config", "c.yaml", "--budget", "500") == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    report = json.loads((tmp_path / "out_metrics.json").read_bytes())
    assert sum(report["summary"]["trajectories_dropped"].values()) == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupted_run_goes_on_and_writes_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: str
) -> None:
    (tmp_path / "in").mkdir()
    rows = [hermes(2, size=10 + number) if number % 3 else hermes(size=400 + number) for number in range(8)]
    (tmp_path / "in/a.jsonl").write_bytes(lines(*rows))
    (tmp_path / "in/b.jsonl").write_bytes(lines(*rows[2:]) + b"no row\n" + lines(rows[0]))
    assert run(tmp_path, "in", "whole", "--budget", "4000") == 1
    taken: list[bytes] = []

    def power_cut(lines: Iterable[bytes]) -> Iterator[compress_files.Out]:
        for line in lines:
            if len(taken) == 11:
                raise RuntimeError("power cut")
            taken.append(line)
            yield job.build()(line)

    options = configuration.options(configuration.parse("", policy("six-step"), where=""), 4000, "auto")
    counter = choose.default()
    job = compress_files.CompressJob(options, counter.name)
    made_of = compress_files.made_of(options, counter, "extractive", True)
    totals = compress_files.Totals()
    with pytest.raises(RuntimeError):
        for path, out in compress_files.targets(tmp_path / "in", tmp_path / "out"):
            compress_files.compress_file(path, out, power_cut, totals, made_of)
    capsys.readouterr()
    assert run(tmp_path, "in", "out", "--budget", "4000", "--workers", workers) == 1
    assert "went on after 11 rows" in capsys.readouterr().err
    whole, out = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("whole", "out"))
    assert out == whole


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("in.jsonl", "out.jsonl"), "no budget"),
        (("in.jsonl", "in.jsonl", "--budget", "5"), "overwrite its own input"),
        (("gone.jsonl", "out.jsonl", "--budget", "5"), "no such file"),
        (("in.jsonl", "out.jsonl", "--budget", "5", "--policy", "sixstep"), "did you mean six-step"),
        (("in.jsonl", "out.jsonl", "--budget", "5", "--tokenizer", "moonshotai/Kimi-K2-Thinking"), "--tokenizer"),
        (("in.jsonl", "out.jsonl", "--config", "kimi.yaml"), "--tokenizer"),
    ],
)
def test_mistakes_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str
) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(hermes()))
    (tmp_path / "kimi.yaml").write_text(
        "tokenizer: {name: moonshotai/Kimi-K2-Thinking}\ncompression: {target_max_tokens: 50}", encoding="utf-8"
    )
    assert run(tmp_path, *args) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_a_sample_is_chosen_by_content(tmp_path: Path) -> None:
    rows = [hermes(2, size=10 + number) for number in range(200)]
    (tmp_path / "in.jsonl").write_bytes(lines(*rows))
    (tmp_path / "turned.jsonl").write_bytes(lines(*reversed(rows)))
    for name in ("in", "turned"):
        assert run(tmp_path, f"{name}.jsonl", f"{name}-out.jsonl", "--budget", "4000", "--sample-percent", "20") == 0
    one, other = ((tmp_path / f"{name}-out.jsonl").read_bytes().splitlines() for name in ("in", "turned"))
    assert one == other[::-1]
    assert 20 <= len(one) <= 60
    report = json.loads((tmp_path / "in-out_metrics.json").read_bytes())
    assert report["rows_in"] + report["rows_left_out_by_sampling"] == 200


@pytest.mark.parametrize(
    "reply", [{"error": "unreachable"}, {"error": "timeout"}, {"text": ""}, {"text": "word " * 10_000}], ids=str
)
def test_a_summary_that_fails_loses_no_row_and_is_counted_in_row_report_and_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reply: dict[str, str]
) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(hermes(), hermes(2, size=10)))
    script = {"format": 1, "scripts": [{"match": "", "replies": [reply]}]}
    (tmp_path / "script.json").write_text(json.dumps(script), encoding="utf-8")
    (tmp_path / "c.yaml").write_text("summarization: {max_retries: 0}", encoding="utf-8")
    asked = ("--summariser", "model", "--model", f"script:{tmp_path / 'script.json'}", "--config", "c.yaml")
    assert run(tmp_path, "in.jsonl", "out.jsonl", "--budget", "4000", *asked) == 1
    assert "1 summaries failed" in capsys.readouterr().err
    report = json.loads((tmp_path / "out_metrics.json").read_bytes())
    assert (report["rows_in"], report["rows_out"], report["summarization"]["total_errors"]) == (2, 2, 1)
    failed, whole = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert failed["compression_metrics"]["summarization_errors"] == 1
    assert "quoted from them" in str(failed["conversations"]) and "word word" not in str(failed["conversations"])
    assert whole == hermes(2, size=10)
    assert run(tmp_path, "in.jsonl", "kept.jsonl", "--budget", "4000", *asked, "--on-failure", "keep") == 1
    assert "1 summaries failed; 1 row kept as before" in capsys.readouterr().err
    kept, whole = [json.loads(line) for line in (tmp_path / "kept.jsonl").read_bytes().splitlines()]
    assert kept.pop("compression_metrics")["still_over_limit"] and (kept, whole) == (hermes(), hermes(2, size=10))
    report = json.loads((tmp_path / "kept_metrics.json").read_bytes())
    assert (report["summary"]["trajectories_failed"], report["summarization"]["total_errors"]) == (1, 1)


def test_a_model_is_asked_only_when_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(hermes()))
    (tmp_path / "script.json").write_text(
        json.dumps({"format": 1, "scripts": [{"match": "", "replies": [{"text": "It read twelve files."}]}]}),
        encoding="utf-8",
    )
    (tmp_path / "c.yaml").write_text("summarization: {temperature: 0.1, max_retries: 1}", encoding="utf-8")
    asked = ("in.jsonl", "out.jsonl", "--budget", "4000", "--config", "c.yaml", "--summariser", "model")
    assert run(tmp_path, *asked, "--model", f"script:{tmp_path / 'script.json'}") == 0
    assert "ignored" not in capsys.readouterr().err
    assert b"It read twelve files." in (tmp_path / "out.jsonl").read_bytes()
    report = json.loads((tmp_path / "out_metrics.json").read_bytes())
    assert (report["summariser"], report["summarization"]["total_api_calls"]) == ("model", 1)
    assert run(tmp_path, *asked) == 2
    assert "hermes-git.llm.endpoint" in capsys.readouterr().err
