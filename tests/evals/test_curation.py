from __future__ import annotations

from hermes_git.evals.curation import examined, questions

LINES = [
    f"{number}. Before the {name} step open /srv/app/{name}/config_{number}.toml and set the {name} limit to {number}7."
    for number, name in enumerate("fetch build push roll watch report".split(), 1)
]
BEFORE = {
    "skills/a/SKILL.md": "\n".join(LINES),
    "skills/b/SKILL.md": "Restart the queue_worker when it stalls for long.",
}
ASKED = questions(BEFORE, ["skills/a/SKILL.md"], 20)


def test_only_touched_files_are_asked_about() -> None:
    assert len(ASKED) == len(LINES)
    assert {path for path, _ in ASKED} == {"skills/a/SKILL.md"}
    assert all(question.gold in BEFORE["skills/a/SKILL.md"] for _, question in ASKED)
    assert len(questions(BEFORE, ["skills/a/SKILL.md"], 2)) == 2
    assert questions(BEFORE, [], 20) == []


def test_what_moved_is_still_answered_and_what_is_archived_is_counted_apart() -> None:
    moved = {"archive/a/SKILL.md": "\n".join(LINES[:3]), "skills/b/SKILL.md": "\n".join(LINES[3:])}
    found = examined(ASKED, BEFORE, moved, {"skills/b/SKILL.md": moved["skills/b/SKILL.md"]})
    assert len(found) == len(LINES)
    assert all(one.is_answered for one in found)
    assert sum(one.is_active for one in found) == 3


def test_a_lost_line_is_told_by_its_questions() -> None:
    after = {"skills/a/SKILL.md": "\n".join(LINES[:2] + LINES[3:])}
    lost = [one for one in examined(ASKED, BEFORE, after, after) if one.is_lost]
    assert [one.question.source for one in lost] == [LINES[2][3:]]


def test_what_was_not_answered_before_is_not_counted() -> None:
    assert examined(ASKED, {"x.md": "nothing here"}, BEFORE, BEFORE) == []


def test_a_line_that_two_files_hold_is_asked_about_once() -> None:
    twice = {**BEFORE, "skills/c/SKILL.md": BEFORE["skills/a/SKILL.md"]}
    assert len(questions(twice, ["skills/a/SKILL.md", "skills/c/SKILL.md"], 20)) == len(LINES)


def test_a_sentence_that_still_stands_is_misread_at_worst() -> None:
    rivals = [LINES[2].replace("/srv/app/push/config_3.toml", f"plain {word}") for word in ("a", "b")]
    after = {"a.md": "\n".join([*rivals, *LINES])}
    found = examined(ASKED, BEFORE, after, after)
    assert not any(one.is_lost for one in found)
    assert all(one.is_there for one in found)
