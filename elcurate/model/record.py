"""The base of all records: frozen, without surplus fields, compact in JSON."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen value; two records are equal when their fields are."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    def to_json(self) -> str:
        """Compact JSON on one line; fields that have their default are left out."""
        return self.model_dump_json(exclude_defaults=True)
