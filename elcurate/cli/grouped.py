"""Commands that take groups of options as dataclasses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters may be dataclasses: their fields become its options."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name not in groups:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        kind = groups[parameter.name]
        named = get_type_hints(kind, include_extras=True)
        for one in fields(kind):
            default = inspect.Parameter.empty if one.default is MISSING else one.default
            parameters.append(
                inspect.Parameter(
                    one.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=default,
                    annotation=named[one.name],
                )
            )

    def flat(**values: Any) -> None:
        for name, kind in groups.items():
            values[name] = kind(**{one.name: values.pop(one.name) for one in fields(kind)})
        command(**values)

    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    flat.__doc__ = command.__doc__
    flat.__annotations__ = {one.name: one.annotation for one in parameters}
    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return flat
