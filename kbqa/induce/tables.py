"""Words that rules can't derive: verbs, agents and what they do, dated events, measures, synonyms."""

from __future__ import annotations

PREPOSITIONS = frozenset(
    "of by in on at for from to with under into onto near about through over between during within against "
    "as after before via upon among toward towards around across along behind beside".split()
)

VERBS = frozenset(
    "accept acquire admit advise affect attend award belong border build buy carry cause cite collect "
    "comprise compose connect consist contain continue contribute control convert cover create cross cure "
    "define deliver depend depict derive describe design develop direct discuss drive edit employ enable "
    "encode end enter exhibit extend fall feature finance flow follow found fund generate govern grow guide "
    "head hire hold host house identify implement import include indicate influence inhabit inherit "
    "inhibit interact intersect invent invoke issue join know lead leave like link list live locate love "
    "maintain make manage mention merge need obtain occupy occur offer open operate oppose originate "
    "overlap own participate pay perform play precede prescribe present preserve prevent process produce "
    "promote protect provide publish reach receive record refer regulate relate replace report represent "
    "require reside result return reveal reverse run sail schedule sell send serve set share show sign "
    "speak specialise specialize specify spouse start stop store study succeed supersede supervise supply "
    "support surround take target teach tell touch traverse treat understand use visit want wear win work "
    "write".split()
) - {"spouse", "list", "record", "head", "end", "start", "set", "show", "result", "process", "report"}
"""Base forms; a name that is or begins with their third person ('contains', 'works for') is a verb."""

IRREGULAR = {
    "written": "write", "born": "bear", "built": "build", "made": "make", "held": "hold", "led": "lead",
    "sold": "sell", "known": "know", "spoken": "speak", "taught": "teach", "found": "find", "given": "give",
    "won": "win", "drawn": "draw", "sung": "sing", "taken": "take", "driven": "drive", "worn": "wear",
    "shown": "show", "seen": "see", "sent": "send", "run": "run", "bought": "buy", "brought": "bring",
    "kept": "keep", "lent": "lend", "paid": "pay", "grown": "grow", "begun": "begin", "bound": "bind",
    "chosen": "choose", "done": "do", "fought": "fight", "flown": "fly", "worked": "work", "read": "read",
    "set": "set", "told": "tell", "understood": "understand", "met": "meet",
    "spent": "spend", "bred": "breed",
}  # fmt: skip
"""Past participle -> base, where it doesn't end in -ed."""

PAST = {
    "wrote": "write", "built": "build", "made": "make", "held": "hold", "led": "lead", "sold": "sell",
    "knew": "know", "spoke": "speak", "taught": "teach", "gave": "give", "won": "win", "drew": "draw",
    "sang": "sing", "took": "take", "drove": "drive", "wore": "wear", "saw": "see", "sent": "send",
    "ran": "run", "bought": "buy", "brought": "bring", "kept": "keep", "lent": "lend", "paid": "pay",
    "grew": "grow", "began": "begin", "chose": "choose", "fought": "fight", "flew": "fly", "told": "tell",
    "met": "meet", "spent": "spend", "bred": "breed", "left": "leave", "lost": "lose", "beat": "beat",
    "became": "become", "rode": "ride", "swam": "swim", "broke": "break", "understood": "understand",
    "threw": "throw", "came": "come", "went": "go", "stood": "stand", "found": "find",
    "died": "die", "used": "use",
}  # fmt: skip
"""Past tense -> base, where it doesn't end in -ed, or is too short to tell."""

NO_PARTICIPLES = frozenset(
    "read set run found left saw bed seed feed need speed breed shed red deed weed".split()
)
"""These end like participles, but alone they are nouns or could be anything."""

INTRANSITIVE = {
    "die": "in", "live": "in", "reside": "in", "dwell": "in", "settle": "in", "work": "for", "play": "for",
    "study": "at", "graduate": "from", "compete": "in", "participate": "in", "belong": "to", "appear": "in",
    "star": "in", "act": "in", "debut": "in", "retire": "from", "resign": "from", "emigrate": "to",
    "immigrate": "to", "migrate": "to", "move": "to", "travel": "to", "arrive": "in", "depart": "from",
    "enrol": "at", "enroll": "at", "major": "in", "specialise": "in", "specialize": "in",
    "collaborate": "with", "contribute": "to", "occur": "in", "happen": "in", "emerge": "in",
    "originate": "in", "flow": "into", "react": "with", "vote": "for", "volunteer": "for", "apply": "to",
    "qualify": "for", "evolve": "from", "descend": "from", "lecture": "at", "campaign": "for", "go": "to",
    "come": "from", "stand": "in", "serve": "",
}  # fmt: skip
"""Verbs whose subject acts, whatever preposition follows ('played for', 'died in') -> the one that leads to a
place or group where the name has none."""

PERFORMED = frozenset(
    "play perform teach fight fly sail run sing dance coach swim race train win lose".split()
)
"""Before a preposition people and groups do it ('taught at'), to other things it is done ('played in')."""

PASSIVE = {
    "bear": "in", "locate": "in", "situate": "in", "headquarter": "in", "bury": "in", "house": "in",
    "station": "in", "base": "on", "relate": "to", "associate": "with", "affiliate": "with", "link": "to",
    "connect": "to", "dedicate": "to", "derive": "from", "name": "after", "assign": "to", "attach": "to",
    "compose": "of", "interest": "in", "equip": "with", "list": "on", "classify": "as", "tag": "with",
}  # fmt: skip
"""Verbs that nothing does to what such a name leads to -> the preposition where the name has none."""

APPOINTED = {
    "employ": "by", "hire": "by", "recruit": "by", "elect": "by", "appoint": "by", "draft": "by",
    "dismiss": "by", "educate": "at", "raise": "in", "imprison": "in", "crown": "in",
}  # fmt: skip
"""What groups do to people, and not people to groups."""

ENGAGED = APPOINTED.keys() | frozenset("sign train award honour honor nominate treat support endorse".split())
"""What groups do to people: of other verbs ('founded', 'owned') a group is what people did it to."""

SHOWN = frozenset(
    "feature mention include contain influence inspire affect honour honor cite portray describe depict "
    "cover involve follow precede succeed show infect kill injure require need reward serve".split()
)
"""What things and groups may do to people."""

SEATED = frozenset("found establish incorporate register form organise organize base".split())
PLACED = SEATED | frozenset(
    "publish print build make produce manufacture film record hold set open create discover grow write "
    "launch develop invent release perform stage fight store exhibit sign compose paint design".split()
)
"""What happens to groups in a place, and to other things."""

AGENTS: dict[str, tuple[str, str, str]] = {
    "author": ("write", "wrote", "written"),
    "writer": ("write", "wrote", "written"),
    "creator": ("create", "created", "created"),
    "maker": ("make", "made", "made"),
    "publisher": ("publish", "published", "published"),
    "director": ("direct", "directed", "directed"),
    "founder": ("found", "founded", "founded"),
    "owner": ("own", "owns", "owned"),
    "editor": ("edit", "edited", "edited"),
    "translator": ("translate", "translated", "translated"),
    "illustrator": ("illustrate", "illustrated", "illustrated"),
    "producer": ("produce", "produced", "produced"),
    "composer": ("compose", "composed", "composed"),
    "designer": ("design", "designed", "designed"),
    "developer": ("develop", "developed", "developed"),
    "inventor": ("invent", "invented", "invented"),
    "discoverer": ("discover", "discovered", "discovered"),
    "manufacturer": ("manufacture", "manufactured", "manufactured"),
    "builder": ("build", "built", "built"),
    "painter": ("paint", "painted", "painted"),
    "performer": ("perform", "performed", "performed"),
    "narrator": ("narrate", "narrated", "narrated"),
    "manager": ("manage", "manages", "managed"),
    "supervisor": ("supervise", "supervises", "supervised"),
    "advisor": ("advise", "advises", "advised"),
    "teacher": ("teach", "teaches", "taught"),
    "instructor": ("teach", "teaches", "taught"),
    "lecturer": ("teach", "teaches", "taught"),
    "leader": ("lead", "leads", "led"),
    "operator": ("operate", "operates", "operated"),
    "organizer": ("organize", "organizes", "organized"),
    "organiser": ("organise", "organises", "organised"),
    "sponsor": ("sponsor", "sponsors", "sponsored"),
    "funder": ("fund", "funds", "funded"),
    "employer": ("employ", "employs", "employed"),
    "provider": ("provide", "provides", "provided"),
    "supplier": ("supply", "supplies", "supplied"),
    "seller": ("sell", "sells", "sold"),
    "buyer": ("buy", "bought", "bought"),
    "borrower": ("borrow", "borrowed", "borrowed"),
    "lender": ("lend", "lent", "lent"),
    "winner": ("win", "won", "won"),
    "contributor": ("contribute to", "contributed to", "contributed to"),
}
"""Who does it -> base, past (or present, where it lasts), participle."""

MAKERS = tuple(
    "author writer creator maker director composer painter designer developer inventor discoverer builder "
    "founder manufacturer publisher producer editor illustrator translator performer narrator".split()
)
"""Those of them that made a thing, who comes first first: of 'films by X' the directors."""

MADE = frozenset(AGENTS[maker][0] for maker in MAKERS) | {"film", "record", "print"}
"""What is done to works."""

EVENTS: dict[str, tuple[str, str]] = {
    "birth": ("was", "born"), "born": ("was", "born"),
    "death": ("did", "die"), "died": ("did", "die"),
    "publication": ("was", "published"), "published": ("was", "published"), "issued": ("was", "issued"),
    "creation": ("was", "created"), "created": ("was", "created"),
    "release": ("was", "released"), "released": ("was", "released"),
    "founding": ("was", "founded"), "foundation": ("was", "founded"), "founded": ("was", "founded"),
    "establishment": ("was", "established"), "established": ("was", "established"),
    "inception": ("was", "established"), "formation": ("was", "formed"),
    "modification": ("was", "modified"), "modified": ("was", "last modified"),
    "update": ("was", "updated"), "updated": ("was", "updated"),
    "registration": ("was", "registered"), "registered": ("was", "registered"),
    "opening": ("did", "open"), "opened": ("did", "open"),
    "closing": ("did", "close"), "closed": ("did", "close"),
    "construction": ("was", "built"), "built": ("was", "built"), "completion": ("was", "completed"),
    "hire": ("was", "hired"), "hired": ("was", "hired"), "admission": ("was", "admitted"),
    "launch": ("was", "launched"), "launched": ("was", "launched"),
    "acquisition": ("was", "acquired"), "acquired": ("was", "acquired"),
    "approval": ("was", "approved"), "approved": ("was", "approved"),
    "submission": ("was", "submitted"), "submitted": ("was", "submitted"),
    "discovery": ("was", "discovered"), "discovered": ("was", "discovered"),
    "start": ("did", "start"), "started": ("did", "start"), "begin": ("did", "begin"),
    "end": ("did", "end"), "ended": ("did", "end"),
    "arrival": ("did", "arrive"), "departure": ("did", "depart"), "expiry": ("does", "expire"),
    "expiration": ("does", "expire"), "expires": ("does", "expire"), "due": ("is", "due"),
    "joining": ("did", "join"), "joined": ("did", "join"), "retirement": ("did", "retire"),
    "graduation": ("did", "graduate"), "marriage": ("did", "marry"),
    "loan": ("was", "lent"), "return": ("was", "returned"), "order": ("was", "ordered"),
    "purchase": ("was", "bought"), "delivery": ("was", "delivered"),
}  # fmt: skip
"""A word of a date's or place's name -> how one asks for it: 'When was {} published?'"""

DATED: dict[str, str] = {
    "since": "start date", "from": "start date", "start": "start date", "began": "start date",
    "started": "start date", "begin": "start date", "beginning": "start date", "valid from": "start date",
    "until": "end date", "to": "end date", "till": "end date", "end": "end date", "ended": "end date",
    "valid until": "end date", "valid to": "end date", "on": "date", "at": "date", "when": "date",
    "born": "birth date", "died": "death date", "founded": "founding date", "published": "publication date",
    "created": "creation date", "issued": "issue date", "modified": "modification date",
    "updated": "update date", "released": "release date", "established": "founding date",
    "opened": "opening date", "closed": "closing date", "built": "construction date",
    "completed": "completion date", "registered": "registration date", "acquired": "acquisition date",
    "submitted": "submission date", "approved": "approval date", "accepted": "acceptance date",
    "discovered": "discovery date", "hired": "hire date", "joined": "joining date", "left": "leaving date",
    "expires": "expiry date", "due": "due date", "ordered": "order date", "delivered": "delivery date",
    "shipped": "shipping date", "sent": "sending date", "received": "receipt date",
}  # fmt: skip
"""Name of a date that is no noun -> one that is."""

MEASURES: dict[str, tuple[str, ...]] = {
    "height": ("How tall is {}?", "How high is {}?"),
    "elevation": ("How high is {}?",),
    "length": ("How long is {}?",),
    "width": ("How wide is {}?",),
    "depth": ("How deep is {}?",),
    "weight": ("How heavy is {}?", "How much does {} weigh?"),
    "mass": ("How heavy is {}?", "How much does {} weigh?"),
    "age": ("How old is {}?",),
    "price": ("How much does {} cost?", "How expensive is {}?"),
    "cost": ("How much does {} cost?", "How expensive is {}?"),
    "population": ("How many people live in {}?", "How many inhabitants does {} have?"),
    "area": ("How large is {}?", "How big is {}?"),
    "size": ("How large is {}?", "How big is {}?"),
    "duration": ("How long does {} take?", "How long is {}?"),
    "speed": ("How fast is {}?",),
    "salary": ("How much does {} earn?", "How much is {} paid?"),
    "temperature": ("How hot is {}?",),
}
"""Last word of a number's name -> questions."""

SYNONYMS: dict[str, tuple[str, ...]] = {
    "author": ("writer",), "writer": ("author",), "creator": ("author", "maker"),
    "employer": ("company", "boss"), "manager": ("boss", "supervisor"),
    "price": ("cost",), "cost": ("price",), "salary": ("pay", "wage"),
    "telephone": ("phone number",), "phone": ("phone number",),
    "mobile": ("mobile number", "mobile phone number"),
    "email": ("email address",), "e-mail": ("email address",), "mbox": ("email address",),
    "homepage": ("website", "web page"), "website": ("home page",), "url": ("web address", "website"),
    "birth date": ("date of birth", "birthday"), "date of birth": ("birth date", "birthday"),
    "birth place": ("place of birth", "birthplace"), "place of birth": ("birthplace",),
    "death date": ("date of death",), "death place": ("place of death",),
    "spouse": ("husband or wife", "partner"), "location": ("place",), "address": ("street address",),
    "subject": ("topic",), "topic": ("subject",), "about": ("subject", "topic"), "keywords": ("keyword",),
    "genre": ("kind", "type"), "language": ("tongue",), "abstract": ("summary",),
    "description": ("summary",), "pages": ("page count", "number of pages"),
    "page count": ("number of pages",), "number of pages": ("page count", "length in pages"),
    "publisher": ("publishing house",), "capacity": ("number of seats",), "profession": ("job", "occupation"),
    "occupation": ("job", "profession"), "job title": ("job", "position"), "nationality": ("country",),
    "duration": ("length",), "population": ("number of inhabitants",), "founder": ("creator",),
    "headquarters": ("main office",), "rating": ("score",), "licence": ("license",), "license": ("licence",),
    "colour": ("color",), "color": ("colour",), "isbn": ("book number",),
}  # fmt: skip

PEOPLE = frozenset(
    "person people human agent author employee member student teacher customer patient artist user staff "
    "doctor physician nurse lecturer professor researcher scientist writer actor musician player manager "
    "politician individual child parent woman man contributor borrower reader client contact driver pilot "
    "engineer creator composer translator illustrator editor director".split()
)
PLACES = frozenset(
    "place city country town village region state location continent district county island street "
    "address building station stop venue room municipality province port airport area site stadium arena "
    "theatre theater cemetery".split()
)
GROUPS = frozenset(
    "organization organisation company club team university college school airline agency institution firm "
    "bank party government army brand band studio laboratory lab hospital museum church committee "
    "association federation society institute department ministry foundation charity corporation business "
    "carrier franchise orchestra council court parliament academy crew squad journal magazine newspaper "
    "channel network broadcaster label library".split()
)
"""What acts as people do."""
