"""The JSON formats of other entity-linking tools."""

from __future__ import annotations

from elcurate.formats.elevant import ELEVANT
from elcurate.formats.elevant_linked import ELEVANT_LINKED
from elcurate.formats.elevant_simple import ELEVANT_PREDICTIONS, ELEVANT_SIMPLE
from elcurate.formats.kilt import KILT
from elcurate.formats.simplejson import SIMPLEJSON
from elcurate.formats.zelda import ZELDA

JSON_TOOLS = (
    ELEVANT,
    ELEVANT_LINKED,
    ELEVANT_SIMPLE,
    ELEVANT_PREDICTIONS,
    ZELDA,
    KILT,
    SIMPLEJSON,
)
