"""`python -m kbqa.synth --nt FILE --n 50 --seed 1`: examples as JSON lines."""

from __future__ import annotations

import argparse
import json
from pathlib import Path as File

from kbqa.decompose import recompose
from kbqa.lexicon import freebase_lexicon, load_lexicon
from kbqa.sparql import render
from kbqa.synth import Graph, generate
from kbqa.templates import Names, write_all


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kbqa.synth", description=__doc__)
    parser.add_argument("--nt", type=File, required=True, help="N-Triples file")
    parser.add_argument("--lexicon", type=File, help="lexicon folder (default: Freebase's)")
    parser.add_argument("--n", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--noise", type=float, default=0.1)
    args = parser.parse_args()
    lexicon = load_lexicon(args.lexicon) if args.lexicon else freebase_lexicon()
    examples = generate(Graph.read(args.nt), lexicon, args.n, args.seed, args.noise)
    for number, e in enumerate(examples):
        names = Names({m.iri: m.name for m in e.entities})
        row = {
            "id": f"synth-{args.seed}-{number}",
            "question": e.question,
            "type": e.type,
            "entities": [{"id": m.iri.mid, "name": m.name, "text": m.text} for m in e.entities],
            "steps": write_all(e.decomposition.steps, lexicon, names),
            "sub_questions": e.sub_questions,
            "sparql": render(recompose(e.decomposition)),
        }
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
