"""The formats of annotation tools and NLP pipelines."""

from __future__ import annotations

from elcurate.formats.doccano import DOCCANO
from elcurate.formats.labelstudio import LABELSTUDIO
from elcurate.formats.spacy_docbin import SPACY
from elcurate.formats.uima_json import UIMAJSON
from elcurate.formats.uima_xmi import UIMA_XMI
from elcurate.formats.webannotation import WEBANNOTATION

ANNOTATION_TOOLS = (LABELSTUDIO, DOCCANO, WEBANNOTATION, SPACY, UIMA_XMI, UIMAJSON)
