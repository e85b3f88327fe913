"""``elcurate.toml``: which rules run, how severe they are, and what fails."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elcurate.errors import ReadError
from elcurate.model.record import Record
from elcurate.rules.base import Severity

FILE = "elcurate.toml"

M = TypeVar("M", bound=BaseModel)


class ValidateConfig(Record):
    """The table ``[validate]``.

    Attributes:
        select: What runs; the default rules when empty.
        ignore: What doesn't.
        severity: Other severities than the rules' own, by code, prefix, slug or family.
        fail_on: The least severity that makes the command exit with 1.
    """

    model_config = ConfigDict(populate_by_name=True)

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: dict[str, Severity] = Field(default_factory=dict)
    fail_on: Severity = Field(default="warning", alias="fail-on")


class Config(Record):
    """The file."""

    validate_: ValidateConfig = Field(default=ValidateConfig(), alias="validate")


def load_config(path: Path) -> ValidateConfig:
    """Reads the file.

    Raises:
        ReadError: for what is not TOML, and for keys and values that there aren't.
    """
    return load_toml(path, Config).validate_


def load_toml(path: Path, record: type[M]) -> M:
    """A TOML file as a record.

    Raises:
        ReadError: with every key that is wrong.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ReadError(f"this is no TOML: {error}", path=path) from None
    try:
        return record.model_validate(found)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
        raise ReadError("; ".join(wrong), path=path) from None
