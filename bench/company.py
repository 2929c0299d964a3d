"""A company as RDF, made up: employees, departments, offices, projects, skills and who works on what, in
terms of a vocabulary of its own with labels in two languages. The same seed, the same graph.

    python -m bench.company --employees 120 > company.ttl
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

PREFIXES = """\
@prefix : <http://company.example/id/> .
@prefix co: <http://company.example/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
ONTOLOGY = """\
co:Employee a owl:Class ; rdfs:label "employee"@en , "Mitarbeiter"@de .
co:Department a owl:Class ; rdfs:label "department"@en , "Abteilung"@de .
co:Office a owl:Class ; rdfs:label "office"@en , "Standort"@de .
co:Project a owl:Class ; rdfs:label "project"@en , "Projekt"@de .
co:Skill a owl:Class ; rdfs:label "skill"@en .
co:Assignment a owl:Class ; rdfs:label "assignment"@en .
co:worksIn a owl:ObjectProperty ; rdfs:label "works in"@en .
co:reportsTo a owl:ObjectProperty ; rdfs:label "supervisor"@en .
co:hasSkill a owl:ObjectProperty ; rdfs:label "skill"@en .
co:jobTitle a owl:DatatypeProperty ; rdfs:label "job title"@en , "Stelle"@de .
co:hireDate a owl:DatatypeProperty ; rdfs:label "hire date"@en .
co:annualSalary a owl:DatatypeProperty ; rdfs:label "salary"@en .
co:phone a owl:DatatypeProperty ; rdfs:label "phone"@en .
co:mobile a owl:DatatypeProperty ; rdfs:label "mobile"@en .
co:basedIn a owl:ObjectProperty ; rdfs:label "located in"@en .
co:head a owl:ObjectProperty ; rdfs:label "head"@en .
co:budget a owl:DatatypeProperty ; rdfs:label "budget"@en .
co:startDate a owl:DatatypeProperty ; rdfs:label "start date"@en .
co:endDate a owl:DatatypeProperty ; rdfs:label "end date"@en .
co:sponsor a owl:ObjectProperty ; rdfs:label "sponsor"@en .
co:cost a owl:DatatypeProperty ; rdfs:label "cost"@en .
co:summary a owl:DatatypeProperty ; rdfs:label "summary"@en .
co:worker a owl:ObjectProperty ; rdfs:label "assigned employee"@en .
co:task a owl:ObjectProperty ; rdfs:label "assigned project"@en .
co:hours a owl:DatatypeProperty ; rdfs:label "hours"@en .
"""
_GIVEN = "Anna Bela Chloe Daniel Edith Farid Gustav Hanna Ivan Julia Karim Lena Milo Nora Oskar Petra".split()
_FAMILY = "Abbott Brandt Castro Dietz Eklund Ferrari Grieg Hauser Ibsen Jansen Keller Lorenz".split()
_DEPARTMENTS = (
    ("Sales", "Vertrieb"), ("Research", "Forschung"), ("Human Resources", "Personal"),
    ("Logistics", "Logistik"), ("Customer Support", "Kundendienst"), ("Legal Affairs", "Recht"),
)  # fmt: skip
_OFFICES = ("Northgate", "Harbour Point", "Weststadt", "Lakeside")
_SKILLS = ("Welding", "Accounting", "Spanish", "Negotiation", "Statistics", "First Aid")
_PROJECTS = (
    "Falcon", "Blue Lagoon", "Evergreen", "Iron Bridge", "Night Train", "Copper Kettle", "Red Harvest",
    "Silver Lining", "Iron Harvest", "Quiet Storm", "Amber Road", "Glass Tower", "Paper Moon", "Stone Soup",
)  # fmt: skip
_TITLES = ("engineer", "analyst", "clerk", "consultant", "team lead")


@dataclass
class Company:
    """The graph as Turtle; `employees`, `departments`, `offices`, `projects`: names by number."""

    size: int = 120
    seed: int = 0
    employees: list[str] = field(default_factory=list)
    departments: list[str] = field(default_factory=list)
    offices: list[str] = field(default_factory=list)
    projects: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        people = [f"{given} {family}" for given in _GIVEN for family in _FAMILY]
        self._random.shuffle(people)
        self.employees = people[: self.size]
        self.departments = [english for english, _ in _DEPARTMENTS]
        self.offices = list(_OFFICES)
        self.projects = list(_PROJECTS)

    def turtle(self) -> Iterator[str]:
        """Lines; the order is fixed."""
        yield PREFIXES + ONTOLOGY
        yield from self._places()
        yield from map(self._employee, range(self.size))
        yield from map(self._project, range(len(self.projects)))
        yield from map(self._assignment, range(2 * self.size))

    def _places(self) -> Iterator[str]:
        for i, name in enumerate(_OFFICES):
            yield f':o{i} a co:Office ; rdfs:label "{name}" ; co:phone "+49 30 55{10 + i}" .\n'
        for i, (english, german) in enumerate(_DEPARTMENTS):
            yield (
                f':d{i} a co:Department ; rdfs:label "{english}"@en , "{german}"@de ; co:basedIn :o{i % 4} ;'
                f" co:head :e{i * 7} ; co:budget {100_000 + 45_000 * i} .\n"
            )
        for i, name in enumerate(_SKILLS):
            yield f':s{i} a co:Skill ; rdfs:label "{name}"@en .\n'

    def _employee(self, i: int) -> str:
        pick = self._random.randrange
        mail = "" if i % 9 == 4 else f' co:phone "+49 30 55{10 + pick(4)}-{100 + i}" ;'
        mobile = f' co:mobile "+49 170 {20_000 + i}" ;' if i % 3 == 0 else ""
        boss = "" if i < 6 else f" co:reportsTo :e{pick(6)} ;"
        skills = "".join(f" co:hasSkill :s{s} ;" for s in sorted({pick(6) for _ in range(pick(3))}))
        return (
            f':e{i} a co:Employee ; rdfs:label "{self.employees[i]}" ; co:worksIn :d{pick(6)} ;{mail}{mobile}'
            f'{boss}{skills} co:jobTitle "{_TITLES[pick(5)]}"@en ;'
            f" co:annualSalary {28_000 + 500 * pick(90)} ;"
            f' co:hireDate "{1995 + pick(29)}-{pick(1, 13):02d}-{pick(1, 29):02d}"^^xsd:date .\n'
        )

    def _project(self, i: int) -> str:
        pick = self._random.randrange
        year = 2010 + pick(14)
        end = "" if i % 4 == 1 else f' co:endDate "{year + 1}-{pick(1, 13):02d}-15"^^xsd:date ;'
        sponsor = "" if i % 5 == 2 else f" co:sponsor :d{pick(6)} ;"
        return (
            f':p{i} a co:Project ; rdfs:label "{self.projects[i]}" ;{end}{sponsor}'
            f' co:cost "{pick(5_000, 90_000)}.50"^^xsd:decimal ;'
            f' co:startDate "{year}-{pick(1, 13):02d}-01"^^xsd:date ; co:summary "The'
            f' {self.projects[i].split()[0].lower()} programme"@en .\n'
        )

    def _assignment(self, i: int) -> str:
        pick = self._random.randrange
        return (
            f":a{i} a co:Assignment ; co:worker :e{pick(self.size - 20)} ;"
            f" co:task :p{pick(len(_PROJECTS) - 1)} ; co:hours {pick(5, 200)} .\n"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--employees", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    sys.stdout.writelines(Company(args.employees, args.seed).turtle())


if __name__ == "__main__":
    main()
