"""What owners ask of a graph, by type of query, over the made-up library and the made-up company.

Each with SPARQL written by hand, whose answers are the right ones. {b3}, {a3}, {m3}, {r3} stand for the names
of a book, author, member and branch, {e3}, {d3}, {o3}, {p3} for those of an employee, department, office and
project. `FIRST` was written before the rules that read such questions (`kbqa.compose`), `SECOND` after
them; it was never used to change them. `THIRD` was written after the rules for how many there must be,
amounts for each and optional parts, which it asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Graph = Literal["library", "company"]


@dataclass(frozen=True)
class OwnerQuestion:
    """`gold`: a whole SELECT or ASK without its prefixes; two columns are things with their numbers."""

    type: str
    graph: Graph
    question: str
    gold: str


def _library(kind: str, question: str, gold: str) -> OwnerQuestion:
    return OwnerQuestion(kind, "library", question, gold)


def _company(kind: str, question: str, gold: str) -> OwnerQuestion:
    return OwnerQuestion(kind, "company", question, gold)


FIRST = (
    # --- count
    _library(
        "count",
        "How many members does {r3} have?",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x lib:memberOf :branch3 }",
    ),
    _library(
        "count",
        "How many books in German are there?",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x dct:language :language1 }",
    ),
    _company(
        "count",
        "How many employees work in {d1}?",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x co:worksIn :d1 }",
    ),
    # --- yes or no
    _library("yes or no", "Is {m5} the manager of {r2}?", "ASK { :branch2 lib:hasManager :m5 }"),
    _library("yes or no", "Did {a0} write {b0}?", "ASK { :b0 schema:author :a0 }"),
    _company("yes or no", "Does {e9} work in {d2}?", "ASK { :e9 co:worksIn :d2 }"),
    # --- all of a class
    _library("all of a class", "Name all branches.", "SELECT ?x { ?x a lib:Branch }"),
    _company("all of a class", "List the projects", "SELECT ?x { ?x a co:Project }"),
    _company("all of a class", "Which offices are there?", "SELECT ?x { ?x a co:Office }"),
    # --- group with count
    _library(
        "group with count",
        "How many books are there per branch?",
        "SELECT ?g (COUNT(DISTINCT ?x) AS ?n) { ?x lib:heldBy ?g } GROUP BY ?g",
    ),
    _library(
        "group with count",
        "Which author wrote the most books?",
        "SELECT ?x { { SELECT ?x (COUNT(?b) AS ?n) { ?b schema:author ?x } GROUP BY ?x } "
        "{ SELECT (MAX(?m) AS ?t) { SELECT ?y (COUNT(?b) AS ?m) { ?b schema:author ?y } GROUP BY ?y } } "
        "FILTER (?n = ?t) }",
    ),
    _company(
        "group with count",
        "How many employees does each department have?",
        "SELECT ?g (COUNT(DISTINCT ?x) AS ?n) { ?x co:worksIn ?g } GROUP BY ?g",
    ),
    # --- average, sum, least and most
    _library(
        "average, sum",
        "What is the average number of pages of the books by {a5}?",
        "SELECT (AVG(?n) AS ?a) { ?x schema:author :a5 ; schema:numberOfPages ?n }",
    ),
    _company(
        "average, sum",
        "What is the average salary of the employees in {d0}?",
        "SELECT (AVG(?n) AS ?a) { ?x co:worksIn :d0 ; co:annualSalary ?n }",
    ),
    _company(
        "average, sum", "What is the total cost of all projects?", "SELECT (SUM(?n) AS ?a) { ?x co:cost ?n }"
    ),
    # --- order and limit
    _library(
        "order and limit",
        "What are the top 5 longest books?",
        "SELECT ?x { ?x schema:numberOfPages ?n } ORDER BY DESC(?n) STR(?x) LIMIT 5",
    ),
    _library(
        "order and limit",
        "Who are the three oldest authors?",
        "SELECT ?x { ?x a lib:Author ; schema:birthDate ?d } ORDER BY ?d STR(?x) LIMIT 3",
    ),
    _company(
        "order and limit",
        "Which employee has the highest salary?",
        "SELECT ?x { ?x co:annualSalary ?n } ORDER BY DESC(?n) STR(?x) LIMIT 1",
    ),
    # --- comparisons
    _library(
        "comparison",
        "Which books have more than 850 pages?",
        "SELECT ?x { ?x schema:numberOfPages ?n FILTER (?n > 850) }",
    ),
    _library(
        "comparison",
        "What are the books by {a7} that were issued after 1990?",
        'SELECT ?x { ?x schema:author :a7 ; dct:issued ?d FILTER (STR(?d) > "1990-12-31") }',
    ),
    _company(
        "comparison",
        "Which employees were hired between 2010 and 2012?",
        'SELECT ?x { ?x co:hireDate ?d FILTER (STR(?d) >= "2010-01-01" && STR(?d) <= "2012-12-31") }',
    ),
    # --- lacking
    _library(
        "lacking",
        "Which books by {a9} have no translator?",
        "SELECT ?x { ?x schema:author :a9 FILTER NOT EXISTS { ?x schema:translator ?t } }",
    ),
    _library(
        "lacking",
        "How many books were never borrowed?",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x a schema:Book FILTER NOT EXISTS { ?l lib:item ?x } }",
    ),
    _company(
        "lacking",
        "Which employees are without a phone?",
        "SELECT ?x { ?x a co:Employee FILTER NOT EXISTS { ?x co:phone ?p } }",
    ),
    # --- either, or
    _library(
        "either, or",
        "Which books by {a4} are in German or French?",
        "SELECT ?x { ?x schema:author :a4 ; dct:language ?l FILTER (?l IN (:language1, :language2)) }",
    ),
    _company(
        "either, or",
        "Which employees work in either {d3} or {d4}?",
        "SELECT DISTINCT ?x { ?x co:worksIn ?d FILTER (?d IN (:d3, :d4)) }",
    ),
    # --- same as another
    _library(
        "same as another",
        "Which authors were born in the same city as {a3}?",
        "SELECT ?x { :a3 schema:birthPlace ?c . ?x schema:birthPlace ?c FILTER (?x != :a3) }",
    ),
    _company(
        "same as another",
        "Which employees work in the same department as {e11}?",
        "SELECT ?x { :e11 co:worksIn ?c . ?x co:worksIn ?c FILTER (?x != :e11) }",
    ),
    # --- text
    _library(
        "text",
        'Which books have "iron" in the title?',
        'SELECT ?x { ?x dct:title ?t FILTER CONTAINS(LCASE(STR(?t)), "iron") }',
    ),
    _company(
        "text",
        'Which projects have "Harvest" in their name?',
        'SELECT ?x { ?x a co:Project ; rdfs:label ?t FILTER CONTAINS(LCASE(STR(?t)), "harvest") }',
    ),
    # --- literals as answers
    _library("literals", "What is the phone number of {r4}?", "SELECT ?x { :branch4 schema:telephone ?x }"),
    _library(
        "literals",
        "What are the prices of the books by {a6}?",
        "SELECT DISTINCT ?x { ?b schema:author :a6 ; schema:price ?x }",
    ),
    _company("literals", "What is the job title of {e20}?", "SELECT ?x { :e20 co:jobTitle ?x }"),
    _company(
        "literals",
        "Which employees have the job title analyst?",
        'SELECT ?x { ?x co:jobTitle "analyst"@en }',
    ),
)

SECOND = (
    # --- count
    _library(
        "count",
        "What is the number of books published by Quill Editions?",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x dct:publisher :house3 }",
    ),
    _company(
        "count",
        "How many people are on the {p0} project?",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?a co:task :p0 ; co:worker ?x }",
    ),
    _company(
        "count",
        "How many employees do not have a mobile?",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x a co:Employee FILTER NOT EXISTS { ?x co:mobile ?m } }",
    ),
    # --- yes or no
    _library("yes or no", "Is {b14} available in Polish?", "ASK { :b14 dct:language :language3 }"),
    _library(
        "yes or no",
        "Has {m30} ever borrowed {b3}?",
        "ASK { ?l lib:borrower :m30 ; lib:item :b3 }",
    ),
    _company("yes or no", "Is {e3} the head of {d0}?", "ASK { :d0 co:head :e3 }"),
    _company(
        "yes or no", "Does {e12} earn more than 50000?", "ASK { :e12 co:annualSalary ?n FILTER (?n > 50000) }"
    ),
    # --- all of a class
    _library("all of a class", "Which members do we have?", "SELECT ?x { ?x a lib:Member }"),
    _company("all of a class", "Show me every department.", "SELECT ?x { ?x a co:Department }"),
    # --- group with count
    _library(
        "group with count",
        "How many authors were born in each city?",
        "SELECT ?g (COUNT(DISTINCT ?x) AS ?n) { ?x a lib:Author ; schema:birthPlace ?g } GROUP BY ?g",
    ),
    _company(
        "group with count",
        "Number of employees by job title",
        "SELECT ?g (COUNT(DISTINCT ?x) AS ?n) { ?x co:jobTitle ?g } GROUP BY ?g",
    ),
    _company(
        "group with count",
        "Which department has the most employees?",
        "SELECT ?x { ?e co:worksIn ?x } GROUP BY ?x ORDER BY DESC(COUNT(?e)) LIMIT 1",
    ),
    # --- average, sum, least and most
    _library(
        "average, sum",
        "How much does a book about Cookery cost on average?",
        "SELECT (AVG(?n) AS ?a) { ?x dct:subject :subject6 ; schema:price ?n }",
    ),
    _library(
        "average, sum",
        "What is the lowest price of a book by {a8}?",
        "SELECT (MIN(?n) AS ?a) { ?x schema:author :a8 ; schema:price ?n }",
    ),
    _company(
        "average, sum",
        "What do we pay the employees in {d2} in total?",
        "SELECT (SUM(?n) AS ?a) { ?x co:worksIn :d2 ; co:annualSalary ?n }",
    ),
    _company(
        "average, sum", "average budget of the departments", "SELECT (AVG(?n) AS ?a) { ?x co:budget ?n }"
    ),
    # --- order and limit
    _library(
        "order and limit",
        "List the ten cheapest books in French.",
        "SELECT ?x { ?x dct:language :language2 ; schema:price ?n } ORDER BY ?n STR(?x) LIMIT 10",
    ),
    _company(
        "order and limit",
        "Who are the 5 best paid employees?",
        "SELECT ?x { ?x co:annualSalary ?n } ORDER BY DESC(?n) STR(?x) LIMIT 5",
    ),
    _company(
        "order and limit",
        "Which project sponsored by {d1} started most recently?",
        "SELECT ?x { ?x co:sponsor :d1 ; co:startDate ?n } ORDER BY DESC(?n) STR(?x) LIMIT 1",
    ),
    # --- comparisons
    _library(
        "comparison",
        "Which members joined before 2003?",
        'SELECT ?x { ?x lib:joined ?d FILTER (STR(?d) < "2003-01-01") }',
    ),
    _library(
        "comparison",
        "Books about Poetry that cost between 20 and 30 euros",
        "SELECT ?x { ?x dct:subject :subject2 ; schema:price ?n FILTER (?n >= 20 && ?n <= 30) }",
    ),
    _company(
        "comparison",
        "Which departments have a budget of at least 200,000?",
        "SELECT ?x { ?x co:budget ?n FILTER (?n >= 200000) }",
    ),
    _company(
        "comparison",
        "Who earns less than 30000 and was hired after 2015?",
        'SELECT ?x { ?x co:annualSalary ?n ; co:hireDate ?d FILTER (?n < 30000 && STR(?d) > "2015-12-31") }',
    ),
    # --- lacking
    _library(
        "lacking",
        "Which members haven't borrowed anything?",
        "SELECT ?x { ?x a lib:Member FILTER NOT EXISTS { ?l lib:borrower ?x } }",
    ),
    _company(
        "lacking",
        "Projects that have no sponsor",
        "SELECT ?x { ?x a co:Project FILTER NOT EXISTS { ?x co:sponsor ?s } }",
    ),
    _company(
        "lacking",
        "Which employees are not assigned to any project?",
        "SELECT ?x { ?x a co:Employee FILTER NOT EXISTS { ?a co:worker ?x } }",
    ),
    # --- either, or
    _library(
        "either, or",
        "How many books are about Botany or Astronomy?",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x dct:subject ?s FILTER (?s IN (:subject3, :subject9)) }",
    ),
    _company(
        "either, or",
        "Who can speak Spanish or knows First Aid?",
        "SELECT DISTINCT ?x { ?x co:hasSkill ?s FILTER (?s IN (:s2, :s5)) }",
    ),
    _company(
        "either, or",
        "Which employees have the skill Welding or Statistics?",
        "SELECT DISTINCT ?x { ?x co:hasSkill ?s FILTER (?s IN (:s0, :s4)) }",
    ),
    # --- same as another
    _library(
        "same as another",
        "Which books have the same publisher as {b17}?",
        "SELECT ?x { :b17 dct:publisher ?c . ?x dct:publisher ?c FILTER (?x != :b17) }",
    ),
    _company(
        "same as another",
        "Who has the same boss as {e40}?",
        "SELECT ?x { :e40 co:reportsTo ?c . ?x co:reportsTo ?c FILTER (?x != :e40) }",
    ),
    _company(
        "same as another",
        "List employees with the same job title as {e8}.",
        "SELECT ?x { :e8 co:jobTitle ?c . ?x co:jobTitle ?c FILTER (?x != :e8) }",
    ),
    # --- text
    _library(
        "text",
        'Find books whose title contains the word "Lighthouse".',
        'SELECT ?x { ?x dct:title ?t FILTER CONTAINS(LCASE(STR(?t)), "lighthouse") }',
    ),
    _library(
        "text",
        'How many books start with "The Salt"?',
        'SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x dct:title ?t FILTER STRSTARTS(STR(?t), "The Salt") }',
    ),
    _company(
        "text",
        'Which projects mention "iron" in the summary?',
        'SELECT ?x { ?x co:summary ?t FILTER CONTAINS(LCASE(STR(?t)), "iron") }',
    ),
    # --- literals as answers
    _library(
        "literals",
        "What are the email addresses of the members of {r2}?",
        "SELECT ?x { ?m lib:memberOf :branch2 ; schema:email ?x }",
    ),
    _library("literals", "What is {r1}'s phone number?", "SELECT ?x { :branch1 schema:telephone ?x }"),
    _company("literals", "How can I reach {e30} by phone?", "SELECT ?x { :e30 co:phone ?x }"),
    _company(
        "literals",
        "What are the phones of the employees in {d5}?",
        "SELECT DISTINCT ?x { ?e co:worksIn :d5 ; co:phone ?x }",
    ),
)

THIRD = (
    # --- so many of something (HAVING)
    _library(
        "so many",
        "Which branches have more than 26 members?",
        "SELECT ?x { ?m lib:memberOf ?x } GROUP BY ?x HAVING (COUNT(DISTINCT ?m) > 26)",
    ),
    _library(
        "so many",
        "Authors who have written at least 9 books",
        "SELECT ?x { ?b schema:author ?x } GROUP BY ?x HAVING (COUNT(DISTINCT ?b) >= 9)",
    ),
    _library(
        "so many",
        "Which members have borrowed more than 9 books?",
        "SELECT ?x { ?l lib:borrower ?x ; lib:item ?b } GROUP BY ?x HAVING (COUNT(DISTINCT ?b) > 9)",
    ),
    _library(
        "so many",
        "List all authors with fewer than 2 books.",
        "SELECT ?x { ?x a lib:Author OPTIONAL { ?b schema:author ?x } } GROUP BY ?x "
        "HAVING (COUNT(DISTINCT ?b) < 2)",
    ),
    _library(
        "so many",
        "Which authors have exactly three books in Polish?",
        "SELECT ?x { ?b schema:author ?x ; dct:language :language3 } GROUP BY ?x "
        "HAVING (COUNT(DISTINCT ?b) = 3)",
    ),
    _library(
        "so many",
        "How many publishers have published more than 140 books?",
        "SELECT (COUNT(?x) AS ?n) { SELECT ?x { ?b dct:publisher ?x } GROUP BY ?x "
        "HAVING (COUNT(DISTINCT ?b) > 140) }",
    ),
    _library(
        "so many",
        "Which subjects have less than 90 books?",
        "SELECT ?x { ?b dct:subject ?x } GROUP BY ?x HAVING (COUNT(DISTINCT ?b) < 90)",
    ),
    _library(
        "so many",
        "Which cities were more than 28 authors born in?",
        "SELECT ?x { ?a a lib:Author ; schema:birthPlace ?x } GROUP BY ?x HAVING (COUNT(DISTINCT ?a) > 28)",
    ),
    _company(
        "so many",
        "Which departments employ more than 19 people?",
        "SELECT ?x { ?e co:worksIn ?x } GROUP BY ?x HAVING (COUNT(DISTINCT ?e) > 19)",
    ),
    _company(
        "so many",
        "Employees with two or more skills",
        "SELECT ?x { ?x a co:Employee ; co:hasSkill ?s } GROUP BY ?x HAVING (COUNT(DISTINCT ?s) >= 2)",
    ),
    _company(
        "so many",
        "Which employees are working on more than 4 projects?",
        "SELECT ?x { ?a co:worker ?x ; co:task ?p } GROUP BY ?x HAVING (COUNT(DISTINCT ?p) > 4)",
    ),
    _company(
        "so many",
        "Which skills are shared by at least 20 employees?",
        "SELECT ?x { ?e co:hasSkill ?x } GROUP BY ?x HAVING (COUNT(DISTINCT ?e) >= 20)",
    ),
    _company(
        "so many",
        "Are there departments with more than 24 employees?",
        "ASK { SELECT ?x { ?e co:worksIn ?x } GROUP BY ?x HAVING (COUNT(DISTINCT ?e) > 24) }",
    ),
    # --- an amount for each
    _library(
        "amount for each",
        "What is the average price of a book in each language?",
        "SELECT ?g (ROUND(AVG(?n) * 10000) / 10000 AS ?a) { ?x dct:language ?g ; schema:price ?n } "
        "GROUP BY ?g",
    ),
    _library(
        "amount for each",
        "Which publisher has the highest average number of pages?",
        "SELECT ?g { ?x dct:publisher ?g ; schema:numberOfPages ?n } GROUP BY ?g "
        "ORDER BY DESC(AVG(?n)) LIMIT 1",
    ),
    _library(
        "amount for each",
        "Total price of the books about Poetry by branch",
        "SELECT ?g (SUM(?n) AS ?a) { ?x dct:subject :subject2 ; lib:heldBy ?g ; schema:price ?n } "
        "GROUP BY ?g",
    ),
    _library(
        "amount for each",
        "Which branch has the cheapest books on average?",
        "SELECT ?g { ?x lib:heldBy ?g ; schema:price ?n } GROUP BY ?g ORDER BY AVG(?n) LIMIT 1",
    ),
    _company(
        "amount for each",
        "What is the average salary for every job title?",
        "SELECT ?g (ROUND(AVG(?n) * 10000) / 10000 AS ?a) { ?x co:jobTitle ?g ; co:annualSalary ?n } "
        "GROUP BY ?g",
    ),
    _company(
        "amount for each",
        "Which department has the lowest total salary?",
        "SELECT ?g { ?x co:worksIn ?g ; co:annualSalary ?n } GROUP BY ?g ORDER BY SUM(?n) LIMIT 1",
    ),
    _company(
        "amount for each",
        "How much do we spend on salaries per department?",
        "SELECT ?g (SUM(?n) AS ?a) { ?x co:worksIn ?g ; co:annualSalary ?n } GROUP BY ?g",
    ),
    _company(
        "amount for each",
        "What is the total number of hours per project?",
        "SELECT ?g (SUM(?n) AS ?a) { ?x co:task ?g ; co:hours ?n } GROUP BY ?g",
    ),
    # --- optional parts, and what is missing
    _library(
        "optional part",
        "Show the branches with their phone numbers.",
        'SELECT ?x (COALESCE(STR(?v), "not given") AS ?p) { ?x a lib:Branch '
        "OPTIONAL { ?x schema:telephone ?v } }",
    ),
    _company(
        "optional part",
        "List the projects together with their end date, if known.",
        'SELECT ?x (COALESCE(STR(?v), "not given") AS ?p) { ?x a co:Project OPTIONAL { ?x co:endDate ?v } }',
    ),
    _company(
        "optional part",
        "Employees in {d2} and their mobile numbers",
        'SELECT ?x (COALESCE(STR(?v), "not given") AS ?p) { ?x co:worksIn :d2 OPTIONAL { ?x co:mobile ?v } }',
    ),
    _company(
        "optional part",
        "Which projects have an end date that is missing?",
        "SELECT ?x { ?x a co:Project FILTER NOT EXISTS { ?x co:endDate ?d } }",
    ),
)
