"""`hermes-git completion`: the script that teaches a shell to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from hermes_git import errors
from hermes_git.commands.screen import show
from hermes_git.errors import UserError

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> int:
    """Print the completion script of a shell: commands, options, skills, sessions, entries, checks, proposals, runs.

    \b
    hermes-git completion bash > ~/.local/share/bash-completion/completions/hermes-git
    hermes-git completion zsh  > ~/.zfunc/_hermes-git
    hermes-git completion fish > ~/.config/fish/completions/hermes-git.fish
    """
    found = get_completion_class(shell)
    if found is None:
        raise UserError(f"no completion for {shell}", hint=f"known shells: {', '.join(SHELLS)}")
    show(found(ctx.find_root().command, {}, "hermes-git", "_HERMES_GIT_COMPLETE").source())
    return errors.OK
