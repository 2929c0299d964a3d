"""Listed companies as an investor might keep them: the data of `pytickersymbols` as a Turtle file.

    python -m bench.outside.companies OUT.ttl

Needs `pip install pytickersymbols` (1.17.10; MIT, the companies' particulars from Wikipedia, CC BY-SA 4.0).
Each company with its seat, industries, indices, listings, founders, officers and last annual report, as far
as the package's free text can be read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

BASE = "http://companies.example/"
SPACES = {
    "": BASE + "schema#",
    "schema": "https://schema.org/",
    "org": "http://www.w3.org/ns/org#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

CLASSES = """
    schema:Corporation : company | corporation | firm
    StockIndex         : stock index | index
    StockExchange      : stock exchange | exchange
    Listing            : listing
    Currency           : currency
    Industry           : industry | sector
    schema:Person      : person | business person
    org:Post           : executive post
    org:Role           : role | office
    AnnualReport       : annual report
    schema:City        : city
    State              : US state
    schema:Country     : country
"""
"""Name, label and further labels."""
PROPERTIES = """
    headquarters          schema:Corporation -> schema:City : headquarters | based in
    country               schema:Corporation -> schema:Country : country | home country
    industry              schema:Corporation -> Industry : industry | operates in
    memberOfIndex         schema:Corporation -> StockIndex : member of index | constituent of
    schema:founder        schema:Corporation -> schema:Person : founder | founded by
    schema:foundingDate   schema:Corporation -> xsd:date : founding date | founded on
    foundingYear          schema:Corporation -> xsd:integer : founding year | founded in
    schema:numberOfEmployees schema:Corporation -> xsd:integer : number of employees | staff | workforce
    legalForm             schema:Corporation -> xsd:string : legal form | company type
    schema:tickerSymbol   schema:Corporation -> xsd:string : ticker symbol | ticker
    isin                  schema:Corporation -> xsd:string : ISIN
    products              schema:Corporation -> xsd:string : products | makes
    schema:url            schema:Corporation -> xsd:anyURI : website
    wikipedia             schema:Corporation -> xsd:anyURI : Wikipedia page
    listingOf             Listing -> schema:Corporation : listing of
    exchange              Listing -> StockExchange : traded on
    tradingCurrency       Listing -> Currency : trading currency
    listingSymbol         Listing -> xsd:string : listing symbol
    org:heldBy            org:Post -> schema:Person : held by
    org:postIn            org:Post -> schema:Corporation : post at
    org:role              org:Post -> org:Role : role
    reportOf              AnnualReport -> schema:Corporation : report of
    fiscalYear            AnnualReport -> xsd:gYear : fiscal year
    reportCurrency        AnnualReport -> Currency : reported in
    revenue               AnnualReport -> xsd:decimal : revenue | turnover | sales
    netIncome             AnnualReport -> xsd:decimal : net income | profit
    totalAssets           AnnualReport -> xsd:decimal : total assets
    indexMarket           StockIndex -> schema:Country : market of
    inState               schema:City -> State : in state
    inCountry             schema:City -> schema:Country : in country
    currencyCode          Currency -> xsd:string : currency code
"""
"""Name, domain, range, label and further labels."""
INDICES = {
    "AEX": "Netherlands",
    "BEL 20": "Belgium",
    "CAC_40": "France",
    "CAC Mid 60": "France",
    "DAX": "Germany",
    "MDAX": "Germany",
    "SDAX": "Germany",
    "TecDAX": "Germany",
    "DOW JONES": "United States",
    "FTSE 100": "United Kingdom",
    "IBEX 35": "Spain",
    "NASDAQ 100": "United States",
    "NIKKEI 225": "Japan",
    "OMX Helsinki 25": "Finland",
    "OMX Stockholm 30": "Sweden",
    "S&P 100": "United States",
    "S&P 500": "United States",
    "S&P 600": "United States",
    "Switzerland 20": "Switzerland",
    "EURO STOXX 50": "",
}
"""Each with the country whose market it follows."""
EXCHANGES = {
    "FRA": "Frankfurt Stock Exchange",
    "OTCMKTS": "OTC Markets",
    "LON": "London Stock Exchange",
    "NYSE": "New York Stock Exchange",
    "TYO": "Tokyo Stock Exchange",
    "NASDAQ": "Nasdaq",
    "BME": "Madrid Stock Exchange",
    "AMS": "Euronext Amsterdam",
    "STO": "Nasdaq Stockholm",
    "EBR": "Euronext Brussels",
    "HEL": "Nasdaq Helsinki",
    "ETR": "Xetra",
    "EPA": "Euronext Paris",
    "SWX": "SIX Swiss Exchange",
}
CURRENCIES = {
    "USD": "US dollar",
    "EUR": "euro",
    "GBP": "pound sterling",
    "JPY": "Japanese yen",
    "SEK": "Swedish krona",
    "CHF": "Swiss franc",
    "RUB": "Russian rouble",
}
SIGNS = {
    "US$": "USD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "JP¥": "JPY",
    "CHF": "CHF",
    "SEK": "SEK",
}
ROLES = {
    "chief executive officer": r"\bco-ceo|\bceo|chief executive",
    "chief financial officer": r"\bcfo|chief financial",
    "chief operating officer": r"\bcoo|chief operating",
    "chairperson": r"(?<!vice )(?<!vice-)\bchair",
    "vice chairperson": r"\bvice[ -]chair",
    "president": r"(?<!vice )(?<!vice-)\bpresident",
}
"""Each with what it goes by in the package; the short forms become further labels."""
SHORT_ROLES = {
    "chief executive officer": "CEO",
    "chief financial officer": "CFO",
    "chief operating officer": "COO",
    "chairperson": "chairman",
    "vice chairperson": "vice chairman",
}
COUNTRIES = {
    **dict.fromkeys(("U.S.", "US", "U.S", "USA", "United States"), "United States"),
    **dict.fromkeys(("UK", "U.K.", "England", "Scotland", "Wales", "United Kingdom"), "United Kingdom"),
    "The Netherlands": "Netherlands",
    **{
        name: name
        for name in (
            "Austria Belgium Bermuda Canada China Denmark Finland France Germany Ireland Israel Italy Japan "
            "Luxembourg Netherlands Norway Portugal Singapore Spain Sweden Switzerland"
        ).split()
    },
    "Puerto Rico": "Puerto Rico",
}
STATES = frozenset(
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|"
    "Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|"
    "Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|"
    "North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|"
    "Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming".split("|")
)
LARGE = {"million": 10**6, "billion": 10**9, "trillion": 10**12}
MONEY = re.compile(
    r"(US\$|JP¥|\$|€|£|¥|CHF|SEK) ?([\d.,]+) *(million|billion|trillion)\b.*?\b((?:19|20)\d\d)\b"
)
COUNT = re.compile(r"[a-zA-Z.~≈>+ ]*(\d{1,3}(?:,\d{3})+|\d+)\b(?! ?(?:million|thousand))")
OFFICER = re.compile(r"([A-Z][\w.'’\- ]+?)\s*\(([^()]*)\)")
NAME = re.compile(r"[A-Z][\w.'’\-]*(?: [A-Z][\w.'’\-]*){1,2}")


def term(name: str) -> NamedNode:
    prefix, _, local = name.rpartition(":")
    return NamedNode(SPACES[prefix] + local)


LABEL, ALSO = term("rdfs:label"), term("skos:altLabel")


def iri(kind: str, *parts: str) -> NamedNode:
    words = (re.sub(r"\W+", "_", part).strip("_") for part in parts)
    return NamedNode(f"{BASE}{kind}/{'_'.join(word for word in words if word)}")


def typed(value: object, kind: str) -> Literal:
    return Literal(str(value), datatype=term("xsd:" + kind))


def named(node: NamedNode, labels: Iterable[str], about: str) -> Iterator[Triple]:
    """The first label, the others as further ones, and the class."""
    label, *further = dict.fromkeys(labels)
    yield Triple(node, TYPE, term(about))
    yield Triple(node, LABEL, Literal(label, language="en"))
    for other in further:
        yield Triple(node, ALSO, Literal(other, language="en"))


def ontology() -> Iterator[Triple]:
    for line in CLASSES.strip().splitlines():
        name, labels = line.strip().split(" : ")
        yield from named(term(name.strip()), map(str.strip, labels.split("|")), "owl:Class")
    for line in PROPERTIES.strip().splitlines():
        left, labels = line.split(" : ")
        name, domain, _, range_ = left.split()
        kind = "owl:DatatypeProperty" if range_.startswith("xsd:") else "owl:ObjectProperty"
        yield from named(term(name), map(str.strip, labels.split("|")), kind)
        yield Triple(term(name), term("rdfs:domain"), term(domain))
        yield Triple(term(name), term("rdfs:range"), term(range_))


def fixed() -> Iterator[Triple]:
    """Indices, exchanges, currencies and offices."""
    for key, market in INDICES.items():
        index = key.replace("_", " ")
        yield from named(iri("index", index), [index], "StockIndex")
        if market:
            yield Triple(iri("index", index), term("indexMarket"), iri("country", market))
    for code, name in EXCHANGES.items():
        yield from named(iri("exchange", name), [name, code], "StockExchange")
    for code, name in CURRENCIES.items():
        yield from named(iri("currency", code), [name, code], "Currency")
        yield Triple(iri("currency", code), term("currencyCode"), Literal(code))
    for role in ROLES:
        yield from named(iri("role", role), filter(None, [role, SHORT_ROLES.get(role)]), "org:Role")


def seat(company: NamedNode, text: str) -> Iterator[Triple]:
    """From 'Reston, Virginia, United States': the city is the first part, but London and Tokyo go before."""
    parts = [part.strip() for part in re.sub(r"[\[(].*|\d{3,}.*", "", text).split(",") if part.strip()]
    country = COUNTRIES.get(parts[-1]) if parts else None
    state = next((part for part in parts[1:] if part in STATES), "")
    country = country or ("United States" if state else None)
    if country is None:
        return
    yield Triple(company, term("country"), iri("country", country))
    yield from named(iri("country", country), [country], "schema:Country")
    if len(parts) > 1 and not any(c.isdigit() for c in parts[0]):
        city = next((part for part in parts if part in {"London", "Tokyo"}), parts[0])
        node = iri("city", city, state, country)
        yield Triple(company, term("headquarters"), node)
        yield from named(node, [city], "schema:City")
        yield Triple(node, term("inCountry"), iri("country", country))
        if state and country == "United States":
            yield Triple(node, term("inState"), iri("state", state))
            yield from named(iri("state", state), [state], "State")


def founding(company: NamedNode, text: str) -> Iterator[Triple]:
    if year := re.search(r"\b(1[5-9]\d\d|20[0-2]\d)\b", text):
        yield Triple(company, term("foundingYear"), typed(year[0], "integer"))
    first = text.split(";")[0].strip()
    for form in "%B %d, %Y", "%d %B %Y":
        try:
            day = datetime.strptime(first, form).date()
        except ValueError:
            continue
        yield Triple(company, term("schema:foundingDate"), typed(day, "date"))


def founders(company: NamedNode, text: str) -> Iterator[Triple]:
    """One person's name, or two of two words each: the text sets nothing between them."""
    words = text.split()
    names = (
        [text]
        if len(words) in (2, 3)
        else [" ".join(words[:2]), " ".join(words[2:])]
        if len(words) == 4
        else []
    )
    if names and all(NAME.fullmatch(name) for name in names):
        for name in names:
            yield from named(iri("person", name), [name], "schema:Person")
            yield Triple(company, term("schema:founder"), iri("person", name))


def officers(company: NamedNode, label: str, text: str) -> Iterator[Triple]:
    for name, office in OFFICER.findall(text):
        if not NAME.fullmatch(name):
            continue
        for role, pattern in ROLES.items():
            if re.search(pattern, office, re.I):
                node = iri("post", label, role, name)
                yield from named(iri("person", name), [name], "schema:Person")
                yield from named(node, [f"{name}, {role} of {label}"], "org:Post")
                yield Triple(node, term("org:heldBy"), iri("person", name))
                yield Triple(node, term("org:postIn"), company)
                yield Triple(node, term("org:role"), iri("role", role))


def money(text: str) -> tuple[str, Decimal, str] | None:
    """'US$ 1.3 billion (2024)' as currency, amount and year."""
    found = MONEY.match(text.strip())
    if not found:
        return None
    try:
        amount = Decimal(found[2].replace(",", "")) * LARGE[found[3]]
    except InvalidOperation:
        return None
    return SIGNS[found[1]], amount, found[4]


def report(company: NamedNode, label: str, facts: dict[str, str]) -> Iterator[Triple]:
    """The year and currency of the revenue; other figures only where theirs are the same."""
    sales = money(facts.get("revenue", ""))
    if not sales:
        return
    currency, _, year = sales
    node = iri("report", label, year)
    yield from named(node, [f"{label} annual report {year}"], "AnnualReport")
    yield Triple(node, term("reportOf"), company)
    yield Triple(node, term("fiscalYear"), typed(year, "gYear"))
    yield Triple(node, term("reportCurrency"), iri("currency", currency))
    for name, field in (("revenue", "revenue"), ("netIncome", "net_income"), ("totalAssets", "total_assets")):
        figure = money(facts.get(field, ""))
        if figure and figure[::2] == (currency, year):
            yield Triple(node, term(name), typed(f"{figure[1]:f}", "decimal"))


def listings(company: NamedNode, stock: dict[str, Any]) -> Iterator[Triple]:
    for symbol in stock.get("symbols", ()):
        exchange = EXCHANGES.get((symbol.get("google") or "").partition(":")[0])
        if exchange and symbol.get("yahoo"):
            node = iri("listing", exchange, symbol["yahoo"])
            yield from named(node, [f"{stock['name']} on {exchange} ({symbol['yahoo']})"], "Listing")
            yield Triple(node, term("listingOf"), company)
            yield Triple(node, term("exchange"), iri("exchange", exchange))
            yield Triple(node, term("tradingCurrency"), iri("currency", symbol["currency"]))
            yield Triple(node, term("listingSymbol"), Literal(symbol["yahoo"]))


def company_facts(stock: dict[str, Any]) -> Iterator[Triple]:
    label, node = stock["name"], iri("company", stock["name"])
    facts = {key: str(value) for key, value in stock.get("metadata", {}).items()}
    yield from named(node, [label], "schema:Corporation")
    if stock.get("symbol"):
        yield Triple(node, term("schema:tickerSymbol"), Literal(stock["symbol"]))
    for number in stock.get("isins", ()):
        yield Triple(node, term("isin"), Literal(number))
    for name in stock.get("industries", ()):
        industry = re.sub(r"\s+,", ",", name).strip()
        key = iri("industry", industry.casefold())
        yield from named(key, [industry.lower()], "Industry")
        yield Triple(node, term("industry"), key)
    yield from seat(node, facts.get("headquarters") or stock.get("country") or "")
    yield from founding(node, facts.get("founded", ""))
    yield from founders(node, facts.get("founder", ""))
    if people := COUNT.match(facts.get("employees", "")):
        count = int(people[1].replace(",", ""))
        yield Triple(node, term("schema:numberOfEmployees"), typed(count, "integer"))
    for name, field in (("legalForm", "company_type"), ("products", "products")):
        if text := " ".join(facts.get(field, "").split()):
            yield Triple(node, term(name), Literal(text))
    if re.fullmatch(r"[\w.-]+\.[a-z]+(/\S*)?", site := facts.get("website", "")):
        yield Triple(node, term("schema:url"), typed("https://" + site, "anyURI"))
    if page := facts.get("wikipedia_url"):
        yield Triple(node, term("wikipedia"), typed(page, "anyURI"))
    yield from officers(node, label, facts.get("key_people", ""))
    yield from report(node, label, facts)
    yield from listings(node, stock)


def graph(symbols: Any) -> Iterator[Triple]:
    yield from ontology()
    yield from fixed()
    for stock in symbols.get_all_stocks():
        yield from company_facts(stock)
    for key in INDICES:
        for stock in symbols.get_stocks_by_index(key):
            index = iri("index", key.replace("_", " "))
            yield Triple(iri("company", stock["name"]), term("memberOfIndex"), index)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("expected one file to write, as in: python -m bench.outside.companies OUT.ttl", file=sys.stderr)
        return 2
    try:
        from pytickersymbols import PyTickerSymbols
    except ImportError as missing:
        print(f"{missing.name} is not installed: pip install pytickersymbols", file=sys.stderr)
        return 2
    triples = dict.fromkeys(graph(PyTickerSymbols()))
    serialize(triples, arguments[0], RdfFormat.TURTLE, prefixes=SPACES)
    print(f"{len(triples)} triples written to {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
