"""Words that name nothing by themselves: function words, and what questions talk about.

An entity may bear such a name (a film 'It', a title 'President'): it is meant only where the
word is capitalised in mid-sentence, quoted, or part of a longer name.
"""

from __future__ import annotations

import re
from enum import Enum

from rapidfuzz import process
from rapidfuzz.distance import OSA


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION = _words(
    """
    a about above across after again against all along also although always am among an and another
    any are arent around as aside at be because been before behind being below besides between beyond both
    but by
    can could d despite did didnt do does doesnt doing done dont down during each eight either ever every
    except excluding
    few fifth first five for four fourth from had has have having he her here hers him his how hows
    i if ill im in into is isnt it its just last least less lets ll many may me might mine more most
    much must my near neither never next nine no nor not of off on once one only onto or other our
    out over own per re s same second seven shall she should since six so some still such t ten than
    that the their theirs them then there these they third this those though three through till to
    too two under until up upon us ve very via vs was wasnt we were what whats when where wheres
    which while who whom whos whose why will with within without would yet you your
    """
)

COMMON = _words(
    """
    actor actors actress actresses acts adaptations addresses adjoin adjoining administration
    administrative age aged airline airlines airport airports album albums alma amusement ancient
    animal animals anthem appear appeared appears appointed area areas army art artist artists
    artwork artworks athlete athletes attend attended attending attraction attractions aunt author
    authored authors award awarded awards band bands baseball based basketball battle battles became
    become beers began begin begins belief beliefs believed belong belongs best biggest birth
    birthday birthplace birthplaces board bodies body book books border bordered bordering borders
    born boss bought brand brands breed breeds breweries brewery broadcast brother brothers building
    buildings built business buy calendar called calling came campaigns campus cant capital capitals
    captain car career cars cast categories cause caused causes celebrated celebrities celebrity
    center central century ceremony champion champions championship championships character
    characters child children childrens church cinematographers cities citizen city club coach
    coached coaches code codes coin colleague college colleges colony color colors come comes comic
    commander commanders common commonly companies company compose composed composer composers
    compositions conditions conference conferences conflict conflicts contain contained containing
    contains continent continents costume costumes couldnt counties countries country county courts
    cousin coworker create created creator creators crew crime critic criticism crops cuisines
    culture curious currencies currency current currently date dated dates daughter daughters day days death
    deaths debate deflator degree degrees deities denominations department designed designer
    designers destination destinations developed developer dialect dialects die died dies different
    directed directing director directors directs disease diseases district districts divisions
    divorce divorced divorces
    doctor dollar draft drafts drama drug drugs dude earliest early earned east eastern economy
    edited edition editions editor editors educated education educational elected election elections
    elevation employees employers end ended ending ends entries episode episodes ethnic ethnicities
    ethnicity event events execute ex exes exist exists export exports facilities fame families family
    famous father featured features featuring female fiction fictional field fields fight figure
    figures film filmed films final find finished flag flags flick flicks flow flows folks following
    food football form formed former forms fought found founded founder founders founding free
    friend fun gained game games gave genders general genre genres geographic geographical get gets
    girlfriend give given go goes gold good governed governing government governmental governments
    governor governors graduate graduated great greater greatest grew gross group groups guy guys
    half happen happened head headquartered headquarters height held help high higher highest
    highschool history hockey hold holder holders holding holds holiday holidays home hometown
    homework host hosted hotel house houses hubby human husband husbands id identified illustrators
    important include included includes including income independence individual individuals
    inducted industries industry inflation influence influenced influencer influences initials
    inspiration inspired institution institutions instrument instruments international invented
    invention inventions inventor inventors involved island islands ive job jobs join joined judge
    judges jurisdiction jurisdictions kept kicked kicks kid kids killed kind kinds king kingdom kingdoms
    know known label labels lake lakes land landmark landmarks lang langs language languages large larger
    largest late later latest latitudes lead leader leaders leadership leading league leagues left
    legal legislature length level like line list live lived lives living local locate located
    location locations long longest look lost low lower lowest lyricists lyrics made magazine main
    major majority make makes male man manager managers map market marriage married mascot mascots
    mate maximum mean means medal medals medium mediums member members men mention met military
    minimum minister ministers models monarch monarchs money month months monument mother mountain
    mountains movement movements movie movies music musical musician musicians name named names
    narrated nation national nationality nations native nearest need neighbor neighborhood
    neighborhoods neighbour neighbourhood nephew news newspaper newspapers niece nominated
    nomination nominations nominee nominees north northern notable notes novel novels number numbers
    objects occupation occupations occur occurred office officer offices official officially
    officials old older oldest ones open opened opening order organisation organism organization
    organizations organizing origin original originate originated owned owner owners owns painted
    painter painting paintings pal pals parent parents parliament part participate participated
    parties party passed patient pay people peoples percentages performed performer person persons
    pet phone pic picks pics picture pictures place placed places plane planet play played player
    players playing plays poem poems poet poetry point political politician politicians popular
    population portrayed position positions postgraduates power powers practice practiced practices
    practised premier present president presidents previously primarily primary prime prisons
    produce produced producer producers produces product production products profession professional
    professions program programs province provinces public publications publicly published publisher
    publishers quarterback queen question quiz quotations race radio ran range ranges ranked rate
    read real recent recently recipients record recorded recording recordings records region regions
    release released releases religion religions religious represent representative representatives
    represented represents republic resident residents responsible result results right river rivers
    role roles roommate ruled ruler rules run runs saint sang school schools science scientist scripts
    sea season seasons seat secretary see seen senator senators series serve served serves sessions
    set settings sex shared show shows sibling siblings side sight sights sign signed similar sing
    singer singers single sings sister sisters sitcom site sites situated size small smaller
    smallest soccer soldiers son song songs sons soundtrack soundtracks sources south southern speak
    speaker speakers speaking speaks species speech spend spoke spoken sport sports spouse spouses
    stadium stadiums staff stand star starred starring stars start started starts state states
    station stations status stay story structure structures student students studied studies study
    style styles subject successful successor summer sung support symbol symbols system systems take
    takes talk taught teach teacher team teams telephone television tell tennis term terms territory
    text thats theme theres thing things think time times title titles today together took top topic
    topics total tour tourist tours town towns tracks trade train travel treasurer treaty tribe trip
    trivia troops tv type types uncle undergraduates union universities university use used users
    uses using value various venue venues version versions vice victims victory video videos village
    visit visited voice voiced vote voted want war wars water way weapon wear website week went west
    western whens wife win winner winners winning wins winter wives woman women won wondering work
    worked working works worship worshipped write writer writers writes writing written wrote year
    years young younger youngest zip zone zoo
    """
)

EVERYDAY = _words(
    """
    ability able accept accident looking leaving putting planning getting finished counting thinking showing
    moving wondering settle settling reading trying remind reminded colonel sergeant lieutenant professor
    detective account act action active actual actually add address adult advice
    afraid afternoon agree air alive allow almost alone already amazing amount angry answer answers
    anybody anyone anything anyway apart appeal arm arms arrive asleep assume attack attention aunt
    autumn average avoid awake away baby bad bag ball bank bar base basically bath beach bear beat beginner
    beginners beautiful becoming bed beer believe bet better bigger bike bill billion bird birds bit bite
    bitter black block blood blow blue boat boats bone bored boring boss bottle bottom box boy boys
    brain bread break breakfast bridge bright bring broken brown btw buddy bunch burn bus busy
    button cake camp capitol card cards care careful carry cat catch cats cellar chair chance change
    cheap chemical cheaper check cheese chicken choice choose class classic clean clear clever climb clock
    close closed closer clothes cloud coast coat coffee cold colder coldest collect colour colours
    comfortable community computer confused continue control cook cool copy corner correct cost
    couple courage course cousin cover crazy cross crossing crowd cry cup curious cut dad daddy
    dance dark data dear decide deep deeper deepest desk detail dinner dirty discover dog dogs door
    doubt dream dress drink drive driver drop dry due dumb dunno dust ear easy eat edge egg else
    empty energy enjoy enough enter equal evening everybody everyone everything exact exactly exam
    excited expect expensive explain express eye eyes face fact facts fair fall false far farm
    farther farthest fast faster fastest fat favorite favour favourite fear feel feet fence fences fewer
    fewest fill fine finger fire fish fit fix flat flew flight floor flower flowers fly folks follow foot
    forever forget forgot forward fresh front fruit full funny further future garden gas gate giant
    gift gimme girl girls glad glass goal gone gonna got grand granddad grandfather grandma
    grandmother grandson grass green grey ground guess guest guests guide guitar guy guys habit hair
    hall hand handle hands hang happy hard hat hate health hear heard heart heat heavier heaviest
    heavy hello hi hide hill hit hmm hobby hole holy homework honest honestly hope horse hospital
    hot hotter hottest hour hours hundred hungry hurry hurt ice idea ideas imagine inch independent
    inside instead interest interested interesting itself jacket joke journey juice jump keep key
    kick kilometer kilometers kilometre kilometres kinda kitchen km knee knife lady lamp laugh law
    lawyer lazy learn learned leg lemme lesson letter lie life light likes listen little loads
    lonely longer longtime loose lose lot lots loud love lovely luck lucky lunch mad magic mail
    management mass match matter maybe meal meat meet meeting memory message meter meters metre
    metres middle mile miles milk million millions mind minute minutes mirror miss mistake mix mixed
    model mom moment monster monsters morning mouth move mum myself narrow nature nearer neck neighbor
    neighbour nephew newer newest nice niece night nobody noise none normal nose note nothing notice nowadays
    nr obvious odd offer often oh oil ok okay online opinion ordinary others outside oven page pain
    paint pair pal paper parcel parking pass past path pen pencil perfect perhaps photo pick picked
    picture pictures piece pink plan plant plants plate please plenty pls plz pocket poor poorer
    poorest possible post pot press pretty price prize problem promise proud pull pure purple
    purpose push puzzle quarter quick quickly quiet quite quiz rain rather raving reach reading
    ready really reason recall reckon red relax remember rest rice rich richer richest ride ring
    rise road rock roof room root rope round row rule sad safe sail salt sand save say says scared
    secret sell send sense serious several shape sharp sheet shine shirt shoe shoes shop short
    shorter shortest shot shoulder shout shower shut shy sick silence silver simple sir sit skill
    skin sky sleep slow slower slowest smart smell smile smoke smooth snow soap soft soil somebody
    someday somehow someone something sometimes somewhere soon sorry sort sorta sound soup space
    special speed spell spoon square stairs stamp steal steel stick stone stop store storm strange
    street strong stronger strongest stuff sudden suddenly sugar suggest suit suppose sure surely
    surprise sweet swim table tail tall taller tallest task taste tea tear tears teeth test thank
    thanks thick thin thousand thousands thx tie tight tiny tip tired toe tongue tonight tons tool
    tooth touch tough toward track traffic tree trees trick trouble trousers true trust truth try
    trying turn twice ugly uh um umbrella understand unknown upset usual usually vacation van view
    wait walk wall wander wanna wants warm warmer wash waste watch wave weak weather weekend weight
    welcome wet wheel white whole wide wider widest wild wind window wine wing wings wise wish wonder
    wondering wood word words worry worse worst worth wrong yard yeah yellow yes yesterday
    """
)
"""Words that name nothing alone, but may in company: 'gone with the wind'."""

MONTHS = _words(
    """
    april august december february friday january july june march monday november october saturday
    september sunday thursday tuesday wednesday
    """
)


CONTRACTION = re.compile(
    r"(?:i|you|he|she|it|we|they|that|this|there|here|who|what|where|when|how|why|let|(?:do|does|did|is|are|was|were|ca"
    r"|wo|could|would|should|has|have|had)n)['\u2019\u02bc`\u00b4](?:d|ll|m|ve|re|s|t)",
    re.IGNORECASE,
)
"""'I'd', which is no Idaho."""


class Kind(Enum):
    """What a word is, as far as naming goes."""

    FUNCTION = "function"
    COMMON = "common"
    MONTH = "month"
    NUMBER = "number"
    OTHER = "other"


def kind_of(word: str) -> Kind:
    """The kind of a folded word."""
    if word in FUNCTION:
        return Kind.FUNCTION
    if word in COMMON or word in EVERYDAY:
        return Kind.COMMON
    if word in MONTHS:
        return Kind.MONTH
    return Kind.NUMBER if is_number(word) else Kind.OTHER


def misspelled(word: str) -> bool:
    """Whether it looks like a common word with a slip: 'authoer', 'wtih'."""
    allowed = _slips(word)
    return (
        bool(allowed)
        and process.extractOne(word, _LONG, scorer=OSA.distance, score_cutoff=allowed) is not None
    )


def respelt(word: str) -> str:
    """The common word of which it is a misspelling, if there is but one that is as near: 'univeristy'. The
    same otherwise."""
    allowed = _slips(word)
    if not allowed:
        return word
    found = process.extract(word, (*_LONG, *_LEARNED), scorer=OSA.distance, score_cutoff=allowed, limit=None)
    near = [(far, said) for said, far, _ in found if said[0] == word[0]]
    nearest = [said for far, said in near if far == min(near)[0]]
    alike = [said for said in nearest if set(word) <= set(said)] if len(nearest) > 1 else nearest
    alike = [said for said in alike if said[-1] == word[-1]] if len(alike) > 1 else alike
    return alike[0] if len(alike) == 1 else word


def _slips(word: str) -> int:
    """The slips that a word so long may have."""
    return 0 if len(word) < 4 else 1 if len(word) < 8 else 2


_LEARNED = _words(
    """
    literature physics chemistry medicine economics mathematics philosophy psychology biology architecture
    engineering presidential parliamentary election independent quarterback guitarist drummer bassist vocalist
    pianist violinist playwright screenplay cinematography ambassador chancellor senator representative
    constellation archipelago peninsula volcano glacier cathedral monastery dynasty parliament democracy
    monarchy republic tournament olympics heavyweight goalkeeper midfielder undergraduate doctorate laureate
    """
)
"""Words that questions are about, and names are made of."""
_LONG = sorted(word for word in FUNCTION | COMMON | EVERYDAY if len(word) > 3)


def is_number(word: str) -> bool:
    """'1980', '1980s', '26th', '1236'."""
    return word[:1].isdigit() and (word.isdigit() or word.rstrip("sthndr").isdigit())
