"""The files under ``schemas/``: JSON Schemas of everything that is printed as JSON, the category
vocabulary as SKOS and OWL, and the configuration of brat.

``python -m elcurate.report.schemas FOLDER`` writes them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from elcurate.curation.fetch import Fetched
from elcurate.curation.patch import Entry as PatchEntry
from elcurate.curation.patch import Header, Patch
from elcurate.evaluation.alternatives import SelectionReport
from elcurate.evaluation.analysis_records import AnalysisReport
from elcurate.evaluation.corpus_stats import CorpusStats
from elcurate.evaluation.correlation import CorrelationReport
from elcurate.evaluation.ranking import RankReport
from elcurate.evaluation.records import Evaluation
from elcurate.evaluation.span_checks import SpanReport
from elcurate.evaluation.statistics_records import Comparison, ConfidenceReport, SignificanceReport
from elcurate.formats.brat_vocabulary import configuration
from elcurate.kb.resolution import ResolutionReport
from elcurate.kb.snapshot_file import SnapshotReport
from elcurate.model.categories import DIMENSIONS, FEL, FEL_CLASSES, GROUPS, PUBLISHED_TAGS
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Attributes, Document
from elcurate.model.definitions import DEFINITIONS, DIMENSION_TEXTS, GROUP_TEXTS
from elcurate.model.record import Record
from elcurate.report.catalogue import Entry
from elcurate.report.changelog import PatchCheck, PatchList
from elcurate.report.changes import FixReport
from elcurate.report.datasets import DatasetList
from elcurate.report.findings import FindingsReport

VOCABULARY = "https://w3id.org/elcurate/categories#"

_GROUP_CLASSES = {"proper_form": "ProperForm", "noun_phrase": "NounPhrasePoS"}
_META_CLASSES = {
    "base_form": "BaseFormClass",
    "part_of_speech": "PartOfSpeechClass",
    "overlap": "OverlapClass",
    "reference": "ReferenceClass",
}


class CorpusHeader(Record):
    """The first line of a corpus in JSON Lines; each further line is a document."""

    format: str = Field(pattern="^elcurate$")
    version: int = Field(ge=1, le=1)
    name: str = ""
    metadata: Attributes = Field(default_factory=dict)


class StatsReport(Record):
    """What ``elcurate stats --format json`` prints."""

    corpora: tuple[CorpusStats, ...]


class SpanReports(Record):
    """What ``elcurate check-spans --format json`` prints."""

    corpora: tuple[SpanReport, ...]


class ConversionSummary(Record):
    """How much was converted, and how often each kind of repair and loss occurred."""

    documents: int
    mentions: int
    links: int
    tags: int
    repairs: dict[str, int]
    losses: dict[str, int]
    errors: int


class ConversionReport(Record):
    """What ``elcurate convert --format json`` prints, and ``to-weak``."""

    repairs: tuple[Repair, ...]
    losses: tuple[Loss, ...]
    errors: tuple[str, ...]
    summary: ConversionSummary


class Listing(BaseModel):
    """What ``elcurate list KIND --format json`` prints: the entries under the name of the kind."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, tuple[Entry, ...]]


SCHEMAS: dict[str, type[BaseModel]] = {
    "header": CorpusHeader,
    "document": Document,
    "evaluation": Evaluation,
    "confidence": ConfidenceReport,
    "significance": SignificanceReport,
    "comparison": Comparison,
    "ranking": RankReport,
    "correlation": CorrelationReport,
    "analysis": AnalysisReport,
    "selection": SelectionReport,
    "spans": SpanReports,
    "stats": StatsReport,
    "conversion": ConversionReport,
    "listing": Listing,
    "patch-header": Header,
    "patch-entry": PatchEntry,
    "patch": Patch,
    "patch-check": PatchCheck,
    "patches": PatchList,
    "datasets": DatasetList,
    "fetched": Fetched,
    "findings": FindingsReport,
    "fix": FixReport,
    "snapshot": SnapshotReport,
    "resolutions": ResolutionReport,
}
"""The record behind each schema file."""


def schema_files() -> dict[str, str]:
    """File name to content of everything under ``schemas/``."""
    files = {}
    for name, record in SCHEMAS.items():
        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **record.model_json_schema(mode="validation"),
        }
        text = json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True)
        files[f"{name}.schema.json"] = text + "\n"
    files["categories.ttl"] = vocabulary()
    return files | {f"brat/{name}": text for name, text in configuration().items()}


def vocabulary() -> str:
    """The categories as a SKOS concept scheme, aligned with the classes of ``fel:``."""
    lines = [
        "# The categories of elcurate as SKOS concepts, with the fel: class of each.",
        "# fel: makes its singular and plural noun phrases subclasses of fel:NounPhrase, which it",
        "# doesn't define. Its class is fel:NounPhrasePoS, and that is the superclass here.",
        f"@prefix : <{VOCABULARY}> .",
        f"@prefix fel: <{FEL}> .",
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .",
        "",
        ":scheme a skos:ConceptScheme ;",
        '    skos:prefLabel "Categories of entity links"@en .',
    ]
    for dimension, leaves in DIMENSIONS.items():
        lines += _concept(dimension, DIMENSION_TEXTS[dimension], _META_CLASSES[dimension])
        lines += ["    skos:topConceptOf :scheme ."]
        parents = {leaf: group for group, held in GROUPS[dimension].items() for leaf in held}
        for group in GROUPS[dimension]:
            lines += _concept(group, GROUP_TEXTS[group], _GROUP_CLASSES[group])
            lines += [f"    skos:broader :{dimension} ."]
        for leaf in leaves:
            lines += _concept(leaf, DEFINITIONS[leaf], FEL_CLASSES[dimension, leaf])
            lines += [
                f'    skos:notation "el:{PUBLISHED_TAGS[dimension, leaf]}" ;',
                f"    skos:broader :{parents.get(leaf, dimension)} .",
            ]
            if leaf in parents:
                parent = _GROUP_CLASSES[parents[leaf]]
                lines += [f"fel:{FEL_CLASSES[dimension, leaf]} rdfs:subClassOf fel:{parent} ."]
    return "\n".join(lines) + "\n"


def _concept(name: str, text: str, fel: str) -> list[str]:
    return [
        "",
        f"fel:{fel} a owl:Class .",
        f":{name} a skos:Concept ;",
        "    skos:inScheme :scheme ;",
        f'    skos:prefLabel "{name.replace("_", " ")}"@en ;',
        f'    skos:definition "{text}"@en ;',
        f"    skos:exactMatch fel:{fel} ;",
    ]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for file_name, content in schema_files().items():
        (folder / file_name).parent.mkdir(parents=True, exist_ok=True)
        (folder / file_name).write_text(content, encoding="utf-8")
