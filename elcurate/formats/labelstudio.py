"""Label Studio: a folder with tasks to import and the labelling configuration that they need.

Each link is a region of the text with a label (its type), a text field (its entity) and one choice
for each category dimension, so that a project made of both files opens with everything editable.
Exported projects (JSON) and pre-annotated tasks are read.
"""

from __future__ import annotations

import re
from pathlib import Path

from elcurate.formats.base import Format
from elcurate.formats.features import EVERYTHING
from elcurate.formats.labelstudio_read import CONFIG, TASKS, read
from elcurate.formats.labelstudio_write import write

_LIST = re.compile(rb'"(?:annotations|completions|predictions)"\s*:\s*\[')
_INSIDE = re.compile(rb'"(?:result|data|from_name)"\s*:')


def sniff(head: bytes, name: str) -> int:
    """Sure of a JSON list of tasks with annotations or predictions."""
    if not head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"[", b"{")):
        return 0
    return 85 if _LIST.search(head) and _INSIDE.search(head) else 0


def claim(path: Path) -> int:
    """Sure of a folder with tasks and a configuration, and of either file beside the other."""
    folder = path if path.is_dir() else path.parent
    if path.is_file() and path.name not in (TASKS, CONFIG):
        return 0
    return 95 if (folder / TASKS).is_file() and (folder / CONFIG).is_file() else 0


LABELSTUDIO = Format(
    name="labelstudio",
    text="Label Studio tasks and labelling configuration",
    suffixes=(),
    keeps=EVERYTHING - {"no-text"},
    sniff=sniff,
    read=read,
    write_folder=write,
    claim=claim,
)
