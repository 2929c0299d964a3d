"""A chemist's catalogue of the elements: the data of `mendeleev` as a Turtle file.

    python -m bench.outside.chemistry OUT.ttl

Needs `pip install mendeleev pyoxigraph`. The elements with their places in the table, who found them, what
they are named after, who mines them and their physical data; their allotropes, observed isotopes with their
decays, and ions with their radii. bench/outside/chemistry.jsonl holds questions about it, written from its
labels and some of its things alone.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

try:
    from mendeleev.db import get_package_dbpath
    from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize
except ImportError as missing:
    print(f"{missing.name} is not installed: pip install mendeleev pyoxigraph", file=sys.stderr)
    sys.exit(2)

VOCABULARY = "http://elements.example/def#"
THINGS = "http://elements.example/id/"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
LABEL, ALSO, COMMENT = NamedNode(RDFS + "label"), NamedNode(SKOS + "altLabel"), NamedNode(RDFS + "comment")

CLASSES = """
    Element           : chemical element | element
    Isotope           : isotope | nuclide
    Ion               : ion
    Allotrope         : allotrope
    Group             : group | column of the periodic table
    Series            : element series | element category
    Block             : block
    LatticeType       : crystal structure | lattice type
    GeoClass          : Goldschmidt class
    DecayMode         : decay mode
    DecayBranch       : decay branch
    RadiusEntry       : ionic radius entry
    Agent             : person or laboratory
    Person   < Agent  : person
    Lab      < Agent  : laboratory | research institute
    Place             : place
    Country  < Place  : country
    City     < Place  : city or town
    CelestialBody     : celestial body
    MythicalFigure    : mythical figure | god or hero
    Mineral           : mineral
    Language          : language
"""
"""Name, class above it, label and further labels."""
LINKS = """
    Element      group           Group        group | in group
    Element      series          Series       series | belongs to series
    Element      inBlock         Block        block
    Element      lattice         LatticeType  crystal structure
    Element      goldschmidt     GeoClass     Goldschmidt class
    Element      discoveredBy    Agent        discovered by | discoverer
    Element      discoveredIn    Country      discovered in | place of discovery
    Element      eponym          -            named after | namesake
    Element      nameLang        Language     name comes from language
    Element      symbolLang      Language     symbol comes from language
    Element      topProducer     Country      leading producer
    Element      producer        Country      major producer | produced in
    Element      topReserves     Country      largest reserve holder
    Element      reserves        Country      major reserve holder | has reserves in
    Element      hasIsotope      Isotope      has isotope
    Element      hasAllotrope    Allotrope    has allotrope | allotropic form
    Isotope      decayMode       DecayMode    decays by | decay mode
    Isotope      branch          DecayBranch  decay branch
    DecayBranch  branchMode      DecayMode    mode of the branch
    Ion          ionOf           Element      ion of
    Ion          isoelectronic   Element      isoelectronic with
    Ion          radiusEntry     RadiusEntry  tabulated radius
"""
"""Class, name, class of the value ('-': any thing), label and further labels."""
NUMBERS = """
    elements Element
        atomic_number            z               integer atomic number | proton number
        period                   period          integer period
        atomic_weight            weight          decimal atomic weight
        density                  rho             decimal density (g/cm³)
        en_pauling               chiP            decimal electronegativity (Pauling) | electronegativity
        en_allen                 chiA            decimal electronegativity (Allen) # in eV
        electron_affinity        ea              decimal electron affinity (eV)
        atomic_radius            rAtom           decimal atomic radius # in pm, after Slater
        covalent_radius_cordero  rCov            decimal covalent radius # in pm, after Cordero
        vdw_radius               rVdw            decimal van der Waals radius # in pm
        metallic_radius          rMet            decimal metallic radius # in pm
        lattice_constant         latticeA        decimal lattice constant # in ångström
        specific_heat_capacity   cp              decimal specific heat capacity # in J/(g K) at 25 °C
        molar_heat_capacity      cpMolar         decimal molar heat capacity # in J/(mol K) at 25 °C
        thermal_conductivity     lambda          decimal thermal conductivity (W/m/K)
        fusion_heat              hFus            decimal heat of fusion (kJ/mol)
        evaporation_heat         hVap            decimal heat of vaporization (kJ/mol)
        heat_of_formation        hForm           decimal heat of formation (kJ/mol)
        dipole_polarizability    alphaD          decimal dipole polarizability # in atomic units
        proton_affinity          pa              decimal proton affinity (kJ/mol)
        gas_basicity             gb              decimal gas basicity (kJ/mol)
        abundance_crust          inCrust         decimal abundance in the Earth's crust # in mg/kg
        abundance_sea            inSea           decimal abundance in sea water # in mg/L
        price_per_kg             price           decimal price per kilogram # in US dollars
        relative_supply_risk     risk            decimal supply risk # from 1, low, to 10, high
        production_concentration topShare        decimal share of the leading producer (%)
        reserve_distribution     topReserveShare decimal share of the largest reserves (%)
        mendeleev_number         mendeleevNo     integer Mendeleev number
        pettifor_number          pettiforNo      integer Pettifor number
        discovery_year           found           gYear   year of discovery | discovered in year
        symbol                   sym             string  symbol | chemical symbol
        cas                      cas             string  CAS number
        electronic_configuration econf           string  electron configuration
        name_origin              etymology       string  origin of the name
        description              descr           string  description
        uses                     uses            string  uses | used for
        sources                  sources         string  occurrence and production
        recycling_rate           recycling       string  recycling rate (%)
        substitutability         difficulty      string  difficulty of substitution
        jmol_color               colour          string  display colour
        is_radioactive           radio           boolean is radioactive | radioactive
    isotopes Isotope
        mass_number              a               integer mass number | nucleon number
        mass                     mass            decimal atomic mass (Da)
        abundance                natural         decimal natural abundance (%)
        spin                     spin            string  nuclear spin
        parity                   parity          string  parity
        g_factor                 gFactor         decimal nuclear g-factor
        discovery_year           isoFound        gYear   year of first observation
    isotopedecaymodes DecayBranch
        intensity                ratio           decimal branching ratio (%)
    ionizationenergies Ion
        ion_charge               charge          integer charge
        ionization_energy        ie              decimal ionization energy (eV)
        ground_configuration     ionConf         string  ground state configuration
    ionicradii RadiusEntry
        ionic_radius             rIon            decimal effective ionic radius # in pm
        crystal_radius           rCryst          decimal crystal radius # in pm
    - Element
        ie1        decimal first ionization energy (eV) | ionization energy
        oxi        integer oxidation state
        oxiMain    integer common oxidation state
        ancient    boolean known since antiquity
    - -
        mp         decimal melting point (K)
        bp         decimal boiling point (K)
        subl       decimal sublimation point (K)
        trans      decimal transition temperature (K)
        tc         decimal critical temperature (K)
        pc         decimal critical pressure (MPa)
        tt         decimal triple point temperature (K)
    - Isotope
        halfLife   double  half-life # in seconds
        stable     boolean is stable | stable
    - RadiusEntry
        cn         integer coordination number
        geometry   string  coordination geometry
        spinState  string  spin state
    - Group
        number     integer group number
        oldName    string  old group name # the American numbering
"""
"""Under the table and the class ('-': none, or more than one): the column that it is read from where there is
a table, name, type, label and further labels, and after # the unit."""

COUNTRIES = """
    USA United States | DRC Democratic Republic of the Congo | Austrailia Australia | Kyrgzstan Kyrgyzstan
    | USSR Soviet Union | Unknown United States
"""
"""A word of the package's entry and the country it means."""
AGENTS = """
    William Ramsay: Sir William Ramsey, Sir William Ramsay       Nils Abraham Langlet: Nils Langet
    Per Teodor Cleve: P.T.Cleve, Per Theodor Cleve               Friedrich Wöhler: Fredrich Wöhler
    Antoine Bussy: A.A.Bussy                                     Humphry Davy: Sir H. Davy, Sir Humphrey Davy
    Joseph Louis Gay-Lussac: J.L. Gay-Lussac                     Louis Jacques Thénard: L.J. Thénard
    Joseph Priestley: Joseph Priestly                            Morris Travers: M.W. Travers, M. W. Travers
    Jöns Jacob Berzelius: Jöns Berzelius, J. Berzelius           Lord Rayleigh: Baron Rayleigh
    Johan August Arfwedson: Johann Arfwedson                     Lars Fredrik Nilson: Lars Nilson
    Nils Gabriel Sefström: Nils Sefström
    Louis Nicolas Vauquelin: Louis Vauquelin, L.N.Vauquelin
    Johan Gottlieb Gahn: Johann Gahn                             Georg Brandt: George Brandt
    Axel Fredrik Cronstedt: Axel Cronstedt                       Antoine Jérôme Balard: Antoine J. Balard
    Robert Bunsen: R. Bunsen                                   Gustav Kirchhoff: G. Kirchoff, Gustov Kirchoff
    Adair Crawford: A. Crawford                                  Johan Gadolin: Johann Gadolin
    Martin Heinrich Klaproth: Martin Klaproth, M. Klaproth       Charles Hatchett: Charles Hatchet
    Emilio Segrè: Émillo Segrè, E.Segré                          William Hyde Wollaston: William Wollaston
    Friedrich Stromeyer: Fredrich Stromeyer                      Hieronymous Theodor Richter: T. Richter
    Franz-Joseph Müller von Reichenstein: Franz Müller von Reichenstein
    Carl Gustaf Mosander: Carl Mosander                          Wilhelm Hisinger: W. von Hisinger
    Carl Auer von Welsbach: C.F. Aver von Welsbach               Jacob Marinsky: J.A. Marinsky
    Lawrence Glendenin: L.E. Glendenin                           Charles Coryell: C.D. Coryell
    Eugène-Anatole Demarçay: Eugène Demarçay                     Jacques-Louis Soret: J.L. Soret
    George de Hevesy: Georg von Hevesy                           Anders Gustaf Ekeberg: Anders Ekeberg
    Fausto Elhuyar: Fausto                                       Juan José Elhuyar: Juan José de Elhuyar
    Smithson Tennant: Smithson Tenant, S.Tenant                  Antoine François Fourcroy: A.F.Fourcory
    Hippolyte-Victor Collet-Descotils: H.V.Collet-Descoltils     Julius Caesar Scaliger: Julius Scaliger
    William Crookes: Sir William Crookes                         Pierre Curie: Pierre
    Dale Corson: D.R.Corson                                      Kenneth MacKenzie: K.R.MacKenzie
    Friedrich Ernst Dorn: Fredrich Ernst Dorn                    Marguerite Perey: Marguerite Derey
    André-Louis Debierne: André Debierne                         Frederick Soddy: Fredrich Soddy
    Edwin McMillan: E.M. McMillan, E.M.McMillan                  Philip Abelson: P.H. Abelson
    Glenn T. Seaborg: G.T.Seaborg                                Joseph W. Kennedy: J.W.Kennedy
    Arthur Wahl: A.C.Wohl                                        Ralph James: R.A.James
    Leon Morgan: L.O.Morgan                                      Albert Ghiorso: A.Ghiorso, A. Ghiorso
    Stanley G. Thompson: S.G.Tompson                             Kenneth Street: K.Street Jr.
    Torbjørn Sikkeland: T.Sikkeland                              Almon Larsh: A.E.Larsh
    Robert Latimer: R.M.Latimer                                  Karl Ernst Claus: Karl Klaus
    Argonne National Laboratory*: Argonne                        Los Alamos National Laboratory*: Los Alamos
    University of California, Berkeley*: U of Calif, U. of Cal at Berkeley
    GSI Helmholtz Centre for Heavy Ion Research*: GSI, Heavy Ion Research Laboratory (HIRL)
    Joint Institute for Nuclear Research*: JINR, Soviet Nuclear Research
    Nobel Institute for Physics*: Nobel Institute                RIKEN*: Riken
    Lawrence Livermore National Laboratory*: LLNL                Oak Ridge National Laboratory*: ORNL
    Flerov Laboratory of Nuclear Reactions*: FLNR
"""
"""Who is meant by the package's spellings of the discoverers; * a laboratory. Others keep their spelling."""
EPONYMS = """
    CelestialBody   Uranus U, Neptune Np, Pluto Pu, Ceres Ce, Pallas Pd
    MythicalFigure  Vanadis V, Niobe Nb, Tantalus Ta, Prometheus Pm, Thor Th, Tinia Sn, Mercury Hg
    Mineral         beryl Be, zircon Zr, samarskite Sm, gadolinite Gd, borax B
    City            Strontian Sr, Ytterby Y Tb Er Yb, Stockholm Ho, Paris Lu, Copenhagen Hf, Berkeley Bk,
                    Dubna Db, Darmstadt Ds, Moscow Mc, Magnesia Mg
    Country         France Ga Fr, Germany Ge, Russia Ru, Poland Po, Japan Nh
    Place           Scandinavia Sc Tm, Europe Eu, America Am, California Cf, Tennessee Ts, Rhine Re, Cyprus Cu
    Person          Pierre Curie Cm, Marie Curie Cm, Albert Einstein Es, Enrico Fermi Fm, Dmitri Mendeleev Md,
                    Alfred Nobel No, Ernest Lawrence Lr, Ernest Rutherford Rf, Glenn T. Seaborg Sg,
                    Niels Bohr Bh, Lise Meitner Mt, Wilhelm Röntgen Rg, Nicolaus Copernicus Cn,
                    Yuri Oganessian Og
    Lab             Flerov Laboratory of Nuclear Reactions Fl, Lawrence Livermore National Laboratory Lv
"""
"""What the package's texts on the origin of the names say an element is named after, by symbol."""
SPELLINGS = "Al Aluminium, S Sulphur, Cs Caesium, W Wolfram"
LATTICES = """
    BCC body-centred cubic, CUB cubic, DIA diamond cubic, FCC face-centred cubic, HEX hexagonal,
    MCL monoclinic, ORC orthorhombic, RHL rhombohedral, SC simple cubic, TET tetragonal
"""
DECAYS = """
    A alpha decay, B- beta minus decay, B+ beta plus decay, 2B- double beta minus decay,
    2B+ double beta plus decay, EC electron capture, e+ positron emission,
    EC+B+ electron capture or beta plus decay, SF spontaneous fission,
    n neutron emission, 2n two-neutron emission, 3n three-neutron emission, 4n four-neutron emission,
    p proton emission, 2p two-proton emission, 3p three-proton emission, B-n beta-delayed neutron emission,
    B-p beta-delayed proton emission after beta minus, B-d beta-delayed deuteron emission,
    B-t beta-delayed triton emission, B-A beta-delayed alpha emission, B-SF beta-delayed fission,
    B+p beta-delayed proton emission, B+A beta-delayed alpha emission after beta plus,
    B+SF beta-delayed fission after beta plus, B+pA beta-delayed proton and alpha emission
"""
SECONDS = {
    "ysec": "1e-24", "zsec": "1e-21", "asec": "1e-18", "psec": "1e-12", "nsec": "1e-9", "usec": "1e-6",
    "msec": "1e-3", "sec": "1", "minute": "60", "hour": "3600", "day": "86400", "year": "31556926",
    "kyear": "31556926e3", "Myear": "31556926e6", "Gyear": "31556926e9", "Tyear": "31556926e12",
    "Pyear": "31556926e15", "Eyear": "31556926e18", "Zyear": "31556926e21", "Yyear": "31556926e24",
}  # fmt: skip
ROMAN = {"I": 1, "V": 5, "X": 10}
GEOMETRIES = {"SQ": "square planar", "PY": "pyramidal"}
SPINS = {"HS": "high spin", "LS": "low spin"}
Row = sqlite3.Row


def term(name: str) -> NamedNode:
    return NamedNode(VOCABULARY + name)


def value(raw: Any, kind: str = "string") -> Literal:
    """A literal of the vocabulary: decimals are written out, without the noise of binary fractions."""
    if kind == "boolean":
        raw = "true" if raw else "false"
    elif kind == "decimal":
        raw = format(Decimal(f"{raw:.13g}"), "f")
    elif kind == "double":
        raw = f"{raw:.6E}"
    elif kind == "string":
        return Literal(" ".join(raw.split()))
    return Literal(str(raw), datatype=NamedNode(XSD + kind))


def pairs(table: str) -> dict[str, str]:
    """'BCC body-centred cubic, ...' as {'BCC': 'body-centred cubic'}."""
    split = (entry.strip().split(maxsplit=1) for entry in " ".join(table.split()).split(", "))
    return {code: name for code, name in split}


class Number(NamedTuple):
    table: str
    column: str
    domain: str
    name: str
    kind: str
    labels: list[str]
    unit: str


def numbers() -> Iterator[Number]:
    """The rows of NUMBERS."""
    table = domain = ""
    for line in NUMBERS.splitlines()[1:]:
        if not line.startswith(" " * 8):
            table, domain = line.split()
            continue
        fields, _, unit = line.partition(" # ")
        column, rest = fields.split(maxsplit=1) if table != "-" else ("", fields)
        name, kind, labels = rest.split(maxsplit=2)
        yield Number(table, column, domain, name, kind, labels.split(" | "), unit)


def labelled(thing: NamedNode, names: Iterable[str]) -> Iterator[Triple]:
    first, *more = names
    yield Triple(thing, LABEL, Literal(first, language="en"))
    for name in dict.fromkeys(more):
        if name != first:
            yield Triple(thing, ALSO, Literal(name, language="en"))


def ontology() -> Iterator[Triple]:
    for line in CLASSES.strip().splitlines():
        names, _, labels = line.partition(" : ")
        name, _, above = (part.strip() for part in names.partition("<"))
        yield Triple(term(name), TYPE, NamedNode(OWL + "Class"))
        yield from labelled(term(name), labels.strip().split(" | "))
        if above:
            yield Triple(term(name), NamedNode(RDFS + "subClassOf"), term(above))
    for line in LINKS.strip().splitlines():
        domain, name, range_, labels = line.split(maxsplit=3)
        yield from predicate(name, "ObjectProperty", domain, labels.split(" | "))
        if range_ != "-":
            yield Triple(term(name), NamedNode(RDFS + "range"), term(range_))
    for wider, narrower in (("producer", "topProducer"), ("reserves", "topReserves"), ("oxi", "oxiMain")):
        yield Triple(term(narrower), NamedNode(RDFS + "subPropertyOf"), term(wider))
    for number in numbers():
        yield from predicate(number.name, "DatatypeProperty", number.domain, number.labels)
        yield Triple(term(number.name), NamedNode(RDFS + "range"), NamedNode(XSD + number.kind))
        if number.unit:
            yield Triple(term(number.name), COMMENT, Literal(number.unit, language="en"))


def predicate(name: str, kind: str, domain: str, labels: list[str]) -> Iterator[Triple]:
    yield Triple(term(name), TYPE, NamedNode(OWL + kind))
    yield from labelled(term(name), labels)
    if domain != "-":
        yield Triple(term(name), NamedNode(RDFS + "domain"), term(domain))


class Catalogue:
    """The package's tables, and the things named so far with their numbers."""

    def __init__(self, path: str) -> None:
        self.tables = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        self.tables.row_factory = sqlite3.Row
        self.numbered: dict[tuple[str, str], NamedNode] = {}
        self.numbers = list(numbers())
        self.decays, self.lattices = pairs(DECAYS), pairs(LATTICES)
        self.named = {row["atomic_number"]: row["name"] for row in self.rows("elements", "atomic_number")}
        self.symbols = {row["atomic_number"]: row["symbol"] for row in self.rows("elements", "atomic_number")}
        self.spelled: dict[str, tuple[str, str]] = {}
        for entry in re.findall(r"\S[^:\n]*: .*?(?=   |\n)", AGENTS):
            name, _, spellings = entry.partition(": ")
            kind = "Lab" if name.endswith("*") else "Person"
            for spelling in (name.strip("*"), *spellings.split(", ")):
                self.spelled[spelling.strip()] = (kind, name.strip("*"))

    def rows(self, table: str, order: str = "id") -> list[Row]:
        return list(self.tables.execute(f"SELECT * FROM {table} ORDER BY {order}"))

    def thing(self, kind: str, *names: str) -> tuple[NamedNode, list[Triple]]:
        """The thing of these names, and the triples that introduce it if it is new."""
        key = (kind, names[0])
        if key in self.numbered:
            return self.numbered[key], []
        thing = self.numbered[key] = NamedNode(f"{THINGS}{kind[:2].lower()}{len(self.numbered) + 1:05}")
        return thing, [Triple(thing, TYPE, term(kind)), *labelled(thing, names)]

    def link(self, subject: NamedNode, name: str, kind: str, *names: str) -> Iterator[Triple]:
        """`subject` linked to the thing of these names, introduced where it is new."""
        thing, new = self.thing(kind, *names)
        yield from new
        yield Triple(subject, term(name), thing)

    def columns(self, table: str, subject: NamedNode, row: Row) -> Iterator[Triple]:
        for number in self.numbers:
            if number.table == table and row[number.column] not in (None, ""):
                yield Triple(subject, term(number.name), value(row[number.column], number.kind))

    # --- elements ---------------------------------------------------------------------------------

    def elements(self) -> Iterator[Triple]:
        spellings = pairs(SPELLINGS)
        series = {row["id"]: row["name"] for row in self.rows("series")}
        for number, old, usual in self.tables.execute("SELECT * FROM groups ORDER BY group_id"):
            group, new = self.thing("Group", f"Group {number}", *filter(None, [usual]))
            yield from new
            yield Triple(group, term("number"), value(number, "integer"))
            yield Triple(group, term("oldName"), value(old))
        for row in self.rows("elements", "atomic_number"):
            names = filter(None, [row["name"], row["symbol"], spellings.get(row["symbol"])])
            element, new = self.thing("Element", *names)
            yield from new
            yield from self.columns("elements", element, row)
            if row["group_id"]:
                yield from self.link(element, "group", "Group", f"Group {row['group_id']}")
            name = series[row["series_id"]]
            yield from self.link(
                element, "series", "Series", name, name.removesuffix("es" if name.endswith("gases") else "s")
            )
            block = row["block"]
            yield from self.link(element, "inBlock", "Block", f"{block}-block", f"{block} block")
            if row["lattice_structure"]:
                code = row["lattice_structure"]
                yield from self.link(element, "lattice", "LatticeType", self.lattices[code], code)
            if row["goldschmidt_class"]:
                name = row["goldschmidt_class"].replace("litophile", "lithophile")
                yield from self.link(element, "goldschmidt", "GeoClass", name)
            yield from self.history(element, row)
            yield from self.supply(element, row)
        yield from self.eponyms()
        for row in self.rows("oxidationstates"):
            element = self.element(row["atomic_number"])
            yield Triple(element, term("oxi"), value(row["oxidation_state"], "integer"))
            if row["category"] == "main":
                yield Triple(element, term("oxiMain"), value(row["oxidation_state"], "integer"))

    def history(self, element: NamedNode, row: Row) -> Iterator[Triple]:
        if row["discoverers"].startswith("Known to the ancients"):
            yield Triple(element, term("ancient"), value(True, "boolean"))
        else:
            for part in re.split(r"[,;/]| and ", row["discoverers"]):
                if (spelling := part.strip()) != "et al":
                    kind, name = self.spelled.get(spelling, ("Person", spelling))
                    yield from self.link(element, "discoveredBy", kind, name, *self.spellings(name))
        for country in filter(None, (row["discovery_location"] or "").split("/")):
            yield from self.link(element, "discoveredIn", "Country", *self.country(country))
        if found := re.match(r"(?:Medieval )?([A-Z][A-Za-z-]+):", row["name_origin"]):
            yield from self.link(element, "nameLang", "Language", found[1])
        if found := re.search(r"[Ss]ymbol from (?:its )?([A-Z][a-z]+)", row["name_origin"]):
            yield from self.link(element, "symbolLang", "Language", found[1])

    def spellings(self, name: str) -> list[str]:
        """The further names of a discoverer: those that are more than a first name."""
        named = (also for also, (_, real) in self.spelled.items() if real == name)
        return [also for also in named if also not in ("Fausto", "Pierre")]

    def country(self, entry: str) -> list[str]:
        """The country that an entry means, and its other name in the package where that is no misspelling."""
        entry = entry.strip().removesuffix("(likely)").removeprefix("Unknown (likely ").rstrip(") ")
        if entry.startswith("CIS Countries"):
            return ["Commonwealth of Independent States", "CIS"]
        renamed = pairs(COUNTRIES.replace("|", ",").replace(" ,", ","))
        named = [renamed.get(entry, entry).replace("Republic of Korea", "South Korea")]
        return named + [short for short in ("USA", "DRC", "USSR") if renamed[short] == named[0]]

    def supply(self, element: NamedNode, row: Row) -> Iterator[Triple]:
        """The three countries that mine most of it, and that hold most of it."""
        for column, name, top in (
            ("top_3_producers", "producer", "topProducer"),
            ("top_3_reserve_holders", "reserves", "topReserves"),
        ):
            ranked = [entry for entry in re.split(r"\d\) |: ", row[column] or "") if entry.strip()]
            for rank, entry in enumerate(ranked):
                yield from self.link(element, name, "Country", *self.country(entry))
                if rank == 0:
                    yield from self.link(element, top, "Country", *self.country(entry))

    def eponyms(self) -> Iterator[Triple]:
        symbols = {symbol: number for number, symbol in self.symbols.items()}
        kind = ""
        for line in EPONYMS.strip().splitlines():
            if not line.startswith(" " * 16):
                kind, line = line.split(maxsplit=1)
            for entry in filter(None, (part.strip() for part in line.split(","))):
                *words, last = entry.split()
                named = [last]
                while words[-1] in symbols and len(words) > 1:
                    named.insert(0, words.pop())
                for symbol in named:
                    element = self.element(symbols[symbol])
                    name = " ".join(words)
                    yield from self.link(element, "eponym", kind, name, *self.spellings(name))

    def element(self, number: int) -> NamedNode:
        return self.numbered["Element", self.named[number]]

    # --- what elements are made of and form ---------------------------------------------------------

    def phases(self) -> Iterator[Triple]:
        """Melting and boiling: of the element where one row is its own, of each allotrope that has a name."""
        rows = self.rows("phasetransitions")
        for row in rows:
            element = self.element(row["atomic_number"])
            own = [other for other in rows if other["atomic_number"] == row["atomic_number"]]
            subjects = []
            if not row["is_transition"] and sum(not other["is_transition"] for other in own) == 1:
                subjects.append(element)
            if form := row["allotrope"]:
                label = (
                    form
                    if form == "graphite"
                    else f"{form.removesuffix(' form')} {self.named[row['atomic_number']].lower()}"
                )
                yield from self.link(element, "hasAllotrope", "Allotrope", label)
                subjects.append(self.numbered["Allotrope", label])
            melting = "trans" if row["is_transition"] else "mp"
            boiling = "subl" if row["is_sublimation_point"] else "bp"
            for subject in subjects:
                for column, prop in (
                    ("melting_point", melting), ("boiling_point", boiling), ("critical_temperature", "tc"),
                    ("critical_pressure", "pc"), ("triple_point_temperature", "tt"),
                ):  # fmt: skip
                    if row[column] is not None:
                        yield Triple(subject, term(prop), value(row[column], "decimal"))

    def isotopes(self) -> Iterator[Triple]:
        """The isotopes that have been observed. Those that are neither found in nature nor given a half-life
        are not called stable: the package does not say."""
        branches: dict[int, list[Row]] = {}
        for row in self.rows("isotopedecaymodes"):
            branches.setdefault(row["isotope_id"], []).append(row)
        for row in self.rows("isotopes", "atomic_number, mass_number"):
            if row["discovery_year"] is None:
                continue
            label = f"{self.named[row['atomic_number']].lower()}-{row['mass_number']}"
            symbol = self.symbols[row["atomic_number"]]
            names = [label, f"{symbol}-{row['mass_number']}", f"{row['mass_number']}{symbol}"]
            names += {"hydrogen-2": ["deuterium"], "hydrogen-3": ["tritium"]}.get(label, [])
            yield from self.link(self.element(row["atomic_number"]), "hasIsotope", "Isotope", *names)
            isotope = self.numbered["Isotope", label]
            yield from self.columns("isotopes", isotope, row)
            if row["is_radioactive"] or row["abundance"] is not None:
                yield Triple(isotope, term("stable"), value(not row["is_radioactive"], "boolean"))
            if row["half_life"] is not None:
                seconds = float(Decimal(repr(row["half_life"])) * Decimal(SECONDS[row["half_life_unit"]]))
                yield Triple(isotope, term("halfLife"), value(seconds, "double"))
            for decay in branches.get(row["id"], []):
                if not decay["is_allowed_not_observed"]:
                    yield from self.decay(isotope, label, decay)

    def decay(self, isotope: NamedNode, label: str, row: Row) -> Iterator[Triple]:
        mode = self.decays.get(row["mode"], f"{row['mode']} cluster emission")
        yield from self.link(isotope, "decayMode", "DecayMode", mode, row["mode"])
        if row["intensity"] is not None:
            name = f"{label}: {mode}"
            yield from self.link(isotope, "branch", "DecayBranch", name)
            branch = self.numbered["DecayBranch", name]
            yield from self.link(branch, "branchMode", "DecayMode", mode)
            yield from self.columns("isotopedecaymodes", branch, row)

    def ions(self) -> Iterator[Triple]:
        numbered = {symbol: number for number, symbol in self.symbols.items()}
        for row in self.rows("ionizationenergies"):
            if row["ion_charge"] == 0:
                energy = value(row["ionization_energy"], "decimal")
                yield Triple(self.element(row["atomic_number"]), term("ie1"), energy)
                continue
            ion, new = self.ion(row, row["ion_charge"], row["species_name"])
            yield from new
            yield from self.columns("ionizationenergies", ion, row)
            if (same := row["isoelectonic_sequence"]) in numbered:  # so spelled in the package
                yield Triple(ion, term("isoelectronic"), self.element(numbered[same]))
        for row in self.rows("ionicradii"):
            ion, new = self.ion(row, row["charge"])
            yield from new
            yield Triple(ion, term("charge"), value(row["charge"], "integer"))
            yield from self.radius(ion, self.ion_name(row, row["charge"]), row)

    def ion_name(self, row: Row, charge: int) -> str:
        size = str(abs(charge)) if abs(charge) > 1 else ""
        return f"{self.symbols[row['atomic_number']]}{size}{'+' if charge > 0 else '-'}"

    def ion(self, row: Row, charge: int, *more: str) -> tuple[NamedNode, list[Triple]]:
        ion, new = self.thing("Ion", self.ion_name(row, charge), *more)
        return ion, [*new, Triple(ion, term("ionOf"), self.element(row["atomic_number"]))]

    def radius(self, ion: NamedNode, name: str, row: Row) -> Iterator[Triple]:
        """One entry of Shannon's table: an ion's radius in its surroundings, 'IVSQ' for four in a square."""
        roman = row["coordination"].rstrip("SQPY")
        digits = [ROMAN[letter] for letter in roman]
        count = sum(-one if one < after else one for one, after in zip(digits, [*digits[1:], 0], strict=True))
        shape = GEOMETRIES.get(row["coordination"].removeprefix(roman))
        spin = SPINS.get(row["spin"])
        label = f"{name} ({', '.join(filter(None, (f'coordination {count}', shape, spin)))})"
        yield from self.link(ion, "radiusEntry", "RadiusEntry", label)
        entry = self.numbered["RadiusEntry", label]
        yield Triple(entry, term("cn"), value(count, "integer"))
        if shape:
            yield Triple(entry, term("geometry"), value(shape))
        if spin:
            yield Triple(entry, term("spinState"), value(spin))
        yield from self.columns("ionicradii", entry, row)


def graph() -> Iterator[Triple]:
    catalogue = Catalogue(get_package_dbpath())
    yield from ontology()
    yield from catalogue.elements()
    yield from catalogue.phases()
    yield from catalogue.isotopes()
    yield from catalogue.ions()


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("expected one file to write, as in: python -m bench.outside.chemistry OUT.ttl", file=sys.stderr)
        return 2
    prefixes = {"": VOCABULARY, "id": THINGS, "rdfs": RDFS, "owl": OWL, "skos": SKOS, "xsd": XSD}
    triples = dict.fromkeys(graph())
    serialize(triples, arguments[0], RdfFormat.TURTLE, prefixes=prefixes)
    print(f"{len(triples)} triples written to {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
