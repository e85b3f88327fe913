from rdflib import RDF, Namespace
from strategies import torture_corpus

import elcurate

NIF = Namespace("http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#")


def test_a_graph_has_a_context_per_document_and_reads_back(tmp_path):
    corpus = torture_corpus()
    graph = elcurate.to_graph(corpus)
    assert len(set(graph.subjects(RDF.type, NIF.Context))) == len(corpus.documents)
    graph.serialize(tmp_path / "graph.nt", format="nt11", encoding="utf-8")
    assert elcurate.read(tmp_path / "graph.nt").documents == corpus.documents
