"""The thirteen categories that a new repository may start with, and what each is for."""

from __future__ import annotations

from hermes_git.knowledge.yaml_text import scalar

CATEGORIES: dict[str, str] = {
    "apple": "Apple devices and apps: reminders, notes, messages, shortcuts, macOS itself.",
    "autonomous-ai-agents": "Running other agents: delegation, supervision, hand-over, parallel work.",
    "creative": "Making things to look at, listen to or read for pleasure.",
    "data-science": "Data: loading, cleaning, exploring, plotting, statistics, notebooks.",
    "devops": "Servers, containers, deployment, monitoring, networks, backups.",
    "github": "Repositories, issues, pull requests, reviews, releases and workflows on GitHub.",
    "media": "Audio, video and pictures: download, convert, transcribe, catalogue.",
    "mlops": "Models: training, evaluation, serving, quantisation, experiment tracking.",
    "note-taking": "Notes and knowledge bases: capture, link, find again.",
    "productivity": "Mail, calendars, documents, spreadsheets, slides, tasks.",
    "research": "Papers, sources, searches, citations, surveys, fact checks.",
    "smart-home": "Lights, sensors, speakers and other devices at home.",
    "software-development": "Code: planning, writing, testing, debugging, review, release.",
}
"""Category name → one sentence that an agent reads in front of its skills."""


def description_file(text: str) -> bytes:
    """Return the bytes of a DESCRIPTION.md that says this of its category."""
    return f"---\ndescription: {scalar(text)}\n---\n".encode()


def scaffold(skills: str) -> dict[str, bytes]:
    """Return path → bytes of a DESCRIPTION.md for each category below a skills folder."""
    return {f"{skills}/{name}/DESCRIPTION.md": description_file(text) for name, text in CATEGORIES.items()}
