"""The command line: what the operator types and what a crontab calls.

Promises: wall-clock time enters the product here and nowhere else; errors are one clear line on stderr with the exit
code of README; `--help` loads neither pandas nor a game. Refuses to know: how anything is done.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

if TYPE_CHECKING:
    from connectors.google_retry import Patience

EXAMPLES = """
**Examples**

- `saitei run` — one cycle with ./config.yaml (this is what cron calls)

- `saitei run --as-of "2026-10-16 12:30:00" --dry-run` — what would happen, nothing is written

- `saitei explain signup-abcd2345` — why one submission was ruled as it was

- `saitei state 甲 --as-of "10-13 05:00:00"` — points, stars and effects of one player at an instant

- `saitei check scenarios/kanada/*.yaml` — run test cases

- `saitei doctor` — is everything in place?

- `saitei sheets setup`, then `saitei forms create` — make the spreadsheet and the forms at Google, once

- `saitei forms diff` — do the forms still ask what the rules read?
"""

app = typer.Typer(
    help="Saitei (裁定): rulings that organisers can trust, from form submissions.\n" + EXAMPLES,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
forms_app = typer.Typer(
    help="The forms at Google, from the config that the rules read.", no_args_is_help=True
)
sheets_app = typer.Typer(help="The masters' spreadsheet at Google.", no_args_is_help=True)
app.add_typer(forms_app, name="forms")
app.add_typer(sheets_app, name="sheets")
DONE, USAGE, INTERRUPTED = 0, 2, 130

ConfigOption = Annotated[Path, typer.Option("--config", "-c", help="The configuration file.")]
AsOfOption = Annotated[
    str | None,
    typer.Option("--as-of", help="Judge as of this instant (configured zone unless it has an offset)."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
DEFAULT_CONFIG = Path("config.yaml")


@app.callback()
def common(
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback when something breaks.")] = False,
) -> None:
    """Options that come before the command."""
    _state["debug"] = debug


_state: dict[str, Any] = {"debug": False}


@app.command()
def run(
    context: typer.Context,
    config: ConfigOption = DEFAULT_CONFIG,
    as_of: AsOfOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; write nothing.")
    ] = False,
    backend: Annotated[Optional[str], typer.Option(help="local | google")] = None,  # noqa: UP045
    ruleset: Annotated[Optional[str], typer.Option(help="provisional | official")] = None,  # noqa: UP045
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing when all is well.")] = False,
) -> None:
    """Run one cycle: read everything, keep everything, judge, write back, publish."""
    from pipeline.commands import run_once

    raise typer.Exit(
        run_once(
            config,
            as_of,
            dry=dry_run,
            backend=backend,
            ruleset=ruleset,
            as_json=as_json,
            quiet=quiet,
            patience=context.obj,
        )
    )


@app.command()
def explain(
    entry: Annotated[str, typer.Argument(help="The id of a submission, or a unique beginning of it.")],
    config: ConfigOption = DEFAULT_CONFIG,
    for_player: Annotated[str | None, typer.Option("--for", help="Only what this player may know.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how one submission was ruled, from what the last run recorded."""
    from pipeline.explain import explain_entry

    typer.echo(explain_entry(config, entry, for_player, as_json=as_json))


@app.command()
def state(
    player: Annotated[Optional[str], typer.Argument(help="One player; all without it.")] = None,  # noqa: UP045
    config: ConfigOption = DEFAULT_CONFIG,
    as_of: AsOfOption = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", help="As it was known at this instant.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show points, rights, stars, constellation and effects at an instant."""
    from pipeline.state import show_state

    typer.echo(show_state(config, player, as_of, known_at, as_json=as_json))


@app.command()
def check(
    cases: Annotated[list[Path], typer.Argument(help="Scenario files.")],
    game: Annotated[
        str | None,
        typer.Option(help="The game; by default that of the file's folder, else of ./config.yaml."),
    ] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List each rule and outcome that the cases hit.")
    ] = False,
) -> None:
    """Run scenario cases; one line for each failing expectation, then `N passed, M failed`."""
    from pipeline.check import run_checks

    raise typer.Exit(run_checks(cases, game, typer.echo, coverage=coverage))


@app.command()
def doctor(
    config: ConfigOption = DEFAULT_CONFIG,
    live_check: Annotated[
        bool,
        typer.Option(
            "--live-check",
            help="Try on a throw-away spreadsheet and form what we assume of Google.",
        ),
    ] = False,
) -> None:
    """Check config, login and files line by line: ok, or what to do."""
    from pipeline.commands import read_clock
    from pipeline.doctor import check_live, examine

    raise typer.Exit(
        check_live(config, typer.echo) if live_check else examine(config, typer.echo, read_clock)
    )


@app.command()
def blog(
    config: ConfigOption = DEFAULT_CONFIG,
    as_of: AsOfOption = None,
    schedule: Annotated[
        bool, typer.Option("--schedule", help="Also write coming articles, stamped 予約, for the masters.")
    ] = False,
) -> None:
    """Render the articles from what the last run archived."""
    from pipeline.commands import render_blog

    raise typer.Exit(render_blog(config, as_of, early=schedule, say=typer.echo))


@forms_app.command("create")
def forms_create(config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Make the forms that have no id yet, as a person (browser sign-in), and print what is left to set by hand."""
    from pipeline.forms import create_forms

    raise typer.Exit(create_forms(config, typer.echo))


@forms_app.command("diff")
def forms_diff(config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Compare the forms with the config: what would break (exit code 1), what may now be listed."""
    from pipeline.forms import diff_forms

    raise typer.Exit(diff_forms(config, typer.echo))


@sheets_app.command("setup")
def sheets_setup(config: ConfigOption = DEFAULT_CONFIG) -> None:
    """Make or mend the spreadsheets, as a person (browser sign-in); no cell of a master is touched."""
    from pipeline.setup import set_up

    raise typer.Exit(set_up(config, typer.echo))


def run_cli(arguments: list[str] | None = None, patience: Patience | None = None) -> int:
    """Run a command line and return its exit code; every error becomes one line on stderr.

    `patience` is how a run waits for Google, where that is not for the config to say: by another clock, in tests.
    """
    try:
        result = app(arguments, standalone_mode=False, obj=patience)
        return int(result) if isinstance(result, int) else DONE
    except SystemExit as leaving:
        return int(leaving.code or 0) if isinstance(leaving.code, int | None) else USAGE
    except Exception as error:  # noqa: BLE001  (the one place where everything ends)
        return _tell(error)


def _tell(error: Exception) -> int:
    """The line and the exit code of an error."""
    from pipeline.troubles import explain_error

    if isinstance(error, typer.Abort):
        print("中断しました", file=sys.stderr)
        return INTERRUPTED
    said = getattr(error, "format_message", None)
    if callable(said):
        print(f"saitei: {said()}（使い方: saitei --help）", file=sys.stderr)
        return USAGE
    code, text = explain_error(error)
    print(text, file=sys.stderr)
    if _state["debug"]:
        traceback.print_exception(error)
    return code
