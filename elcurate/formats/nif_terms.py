"""Namespaces and names of NIF, and the conventions of the corpora that use it."""

from __future__ import annotations

import re
from collections.abc import Mapping

NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
ITSRDF = "http://www.w3.org/2005/11/its/rdf#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
ELC = "https://w3id.org/elcurate#"
"""Our own properties, for what NIF has no name for."""
EL = "https://w3id.org/elcurate/published/el#"
MNT = "https://w3id.org/elcurate/published/mnt#"
"""Stand-ins: the published fine-grained files use ``el:`` and ``mnt:`` and declare neither."""

WELL_KNOWN: Mapping[str, str] = {
    "nif": NIF,
    "itsrdf": ITSRDF,
    "rdf": RDF,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": XSD,
    "dbo": "http://dbpedia.org/ontology/",
    "dbr": "http://dbpedia.org/resource/",
    "wd": "http://www.wikidata.org/entity/",
    "el": EL,
    "mnt": MNT,
    "tax": "https://w3id.org/elcurate/published/tax#",
    "fel": "http://w3id.org/vcb/fel#",
    "elc": ELC,
}
"""The prefixes that are supplied when a file uses them without declaring them."""

TYPE = RDF + "type"
CONTEXT = NIF + "Context"
SENTENCE = NIF + "Sentence"
STRING = NIF + "String"
IS_STRING = NIF + "isString"
BEGIN = NIF + "beginIndex"
END = NIF + "endIndex"
ANCHOR = NIF + "anchorOf"
REFERENCE_CONTEXT = NIF + "referenceContext"
BROADER_CONTEXT = NIF + "broaderContext"
DOCUMENT_CONTEXT = NIF + "context"
SOURCE_URL = NIF + "sourceUrl"
TOPIC = NIF + "topic"
ANNOTATION_UNIT = NIF + "annotationUnit"
IDENT = ITSRDF + "taIdentRef"
CLASS = ITSRDF + "taClassRef"
CONFIDENCE = ITSRDF + "taConfidence"
ENTITY_TYPE = MNT + "entityType"

ELC_TYPE = ELC + "type"
ELC_MENTION = ELC + "mention"
ELC_RANK = ELC + "rank"
ELC_ENTITY = ELC + "entity"
ELC_DOCUMENT = ELC + "document"
ELC_WITHOUT_TEXT = ELC + "withoutText"
ELC_CORPUS = ELC + "corpus"
ELC_ATTRIBUTES = ELC + "attributes"
ELC_MENTION_ATTRIBUTES = ELC + "mentionAttributes"
ELC_FRAGMENTS = ELC + "fragments"
ELC_TOKENS = ELC + "tokens"

FUNCTIONAL = frozenset({BEGIN, END, ANCHOR, IS_STRING, REFERENCE_CONTEXT, BROADER_CONTEXT})
"""A node has each of these once; a second value means that a second node shares the IRI."""

NOT_IN_WIKI = "http://aksw.org/notInWiki/"
PUBLISHED_NIL = "https://en.wikipedia.org/wiki/NotInLexico"
NIL_IRI = re.compile(r"(?:/notInWiki(?:/(?P<rest>.*))?|/NotInLexico|/NotInLexicon)$", re.DOTALL)

OFFSET_FRAGMENT = re.compile(r"#(?:char=|offset_)?0[,_]\d*$")
"""The fragment of a whole text: ``#char=0,12``, ``#offset_0_12``, ``#0,12``, ``#char=0,``."""
