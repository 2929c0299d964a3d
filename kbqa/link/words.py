"""Words that name nothing by themselves: function words, and what questions talk about.

An entity may bear such a name (a film 'It', a title 'President'): it is meant only where the
word is capitalised in mid-sentence, quoted, or part of a longer name.
"""

from __future__ import annotations

from enum import Enum

from rapidfuzz import process
from rapidfuzz.distance import OSA


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION = _words(
    """
    a about above across after again against all along also although always am among an and another
    any are arent around as at be because been before behind being below between beyond both but by
    can could d did didnt do does doesnt doing done dont down during each eight either ever every
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
    ability able accept accident account act action active actor actors actress actresses actual
    actually add address adjoin adjoining administration administrative adult advice afraid
    afternoon age aged agree air airline airport airports album albums alive allow alma almost alone
    already amazing amount amusement ancient angry animal animals answer answers anthem anybody
    anyone anything anyway apart appeal appear appeared appears appointed area areas arm arms army
    arrive art artist artists artwork artworks asleep assume athlete athletes attack attend attended
    attending attention attraction attractions aunt author authored authors autumn average avoid
    awake award awarded awards away baby bad bag ball band bands bank bar base based basketball bath
    battle battles beach bear beat beautiful became become bed beer began begin begins belief
    beliefs believed belong belongs best bet better biggest bike bill billion bird birds birth
    birthday birthplace bit bite bitter black block blood blow blue board boat boats body bone book
    books border bordered bordering borders bored boring born boss bottle bottom bought box boy boys
    brain brand bread break breakfast breed breeds bridge bright bring broadcast broken brother
    brothers brown building buildings built burn bus business busy button buy cake calendar called
    calling came camp campus capital capitals captain car card cards care career careful carry cars
    cast cat catch cats cause caused celebrated celebrity cellar center central century ceremony
    chair champion champions championship championships chance change character characters cheap
    check cheese chicken child children childrens choice choose church cities citizen city class
    classic clean clear clever climb clock close closed clothes cloud club coach coached coast coat
    code coffee coin cold collect college colleges colony color colors colour colours come comes
    comfortable comic commander common commonly companies company compose composed composer
    composers computer conference conflict confused contain contained containing contains continent
    continue control cook cool copy corner correct cost costume costumes counties countries country
    county couple courage course cousin cover crazy create created creator crew crime critic
    criticism crops cross crowd cry culture cup curious currencies currency current currently cut
    dance dark date dated dates daughter day days dear death deaths decide deep deflator degree
    degrees department designed designer desk destination detail developed developer dialect
    dialects die died dies different dinner directed directing director directors directs dirty
    discover disease diseases district doctor dog dogs dollar door doubt drama dream dress drink
    drive driver drop drug drugs dry due dust ear earliest early earned east eastern easy eat
    economy edge edited edition editor educated education educational egg elected election elections
    elevation else employees empty end ended ending ends energy enjoy enough enter episode episodes
    equal ethnic ethnicity evening event events everybody everyone everything exact exactly exam
    excited execute exist exists expect expensive explain export exports express eye eyes face fact
    facts fair fall false fame family famous far farm fast fat father favorite favour favourite fear
    featured features featuring feel feet female fiction fictional field fight figure fill film
    filmed films final find fine finger finished fire fish fit fix flag flat floor flow flower
    flowers flows fly folks follow following food foot football forget forgot form formed former
    forms fought found founded founder founders founding free fresh friend front fruit full fun
    funny future gained game games garden gas gate gave general genre genres geographic geographical
    get gets giant gift girl girlfriend girls give given glad glass go goal goes gold gone good got
    governed governing government governmental governments governor governors graduate graduated
    grand granddad grandfather grandma grandmother grandson grass great greater greatest green grew
    grey gross ground group groups guess guest guests guide guitar guy guys habit hair half hall
    hand handle hands hang happen happened happy hard hat hate head headquartered headquarters
    health hear heard heart heat heavy height held hello help hi hide high higher highest highschool
    hill history hit hobby hold holder holders holding holds hole holiday home hometown homework
    honest hope horse hospital host hosted hot hotel hour hours house houses human hundred hungry
    hurry hurt husband ice id idea ideas identified imagine important inch include included includes
    including income independence individual individuals inducted industry inflation influence
    influenced influencer influences initials inside inspiration inspired instead institution
    institutions instrument instruments interest interested interesting international invented
    invention inventor involved island islands itself jacket job jobs join joined joke journey judge
    juice jump jurisdiction kept key kick kid kids killed kilometer kilometers kilometre kilometres
    kind kinds king kingdom kitchen km knee knife know known lady lake lakes lamp land landmark
    landmarks language languages large larger largest late later latest laugh law lawyer lazy lead
    leader leaders leadership leading league leagues learn learned left leg legal legislature length
    lesson letter level lie life light like likes line list listen little live lived lives living
    local locate located location locations lonely long longest look loose lose lost lot lots loud
    love lovely low lower lowest luck lucky lunch lyrics mad made magazine magic mail main major
    majority make makes male man manager map market marriage married mascot mascots mass match mate
    matter maximum maybe meal mean means meat medal medals medium meet meeting member members memory
    men mention message met meter meters metre metres middle mile miles military milk million
    millions mind minimum minister ministers minute minutes mirror miss mistake mix mixed mom moment
    money month months monument morning mother mountain mountains mouth move movement movie movies
    mum music musical musician musicians myself name named names narrated narrow nation national
    nationality nations native nature nearest neck need neighbor neighborhood neighborhoods
    neighbour neighbourhood nephew news newspaper newspapers nice niece night nobody noise nominated
    nomination nominations nominee none normal north northern nose notable note nothing notice novel
    novels number numbers obvious occupation occupations occur occurred odd offer office officer
    official officially officials often oil okay old older oldest online open opened opening opinion
    order ordinary organisation organism organization organizations organizing origin original
    originate originated others outside oven owned owner owners owns page pain paint painted painter
    painting paintings pair pal paper parcel parent parents parking parliament part participate
    participated parties party pass passed past path patient pay pen pencil people peoples perfect
    performed performer perhaps person persons pet phone photo pick picture pictures piece pink
    place placed places plan plane planet plant plants plate play played player players playing
    plays please plenty pocket poem poems poet poetry point political politician politicians poor
    popular population portrayed position positions possible post postgraduates pot power powers
    practice practiced practices practised premier present president presidents press pretty
    previously price primarily primary prime prize problem produce produced producer producers
    produces product production products profession professional program programs promise proud
    province provinces public publicly published publisher pull pure purple push puzzle quarter
    quarterback queen question quick quickly quiet quite quiz race radio rain ran range ranked rate
    rather reach read reading ready real really reason recent recently record recorded recording
    recordings records red region regions relax release released releases religion religions
    religious represent representative representatives represented represents republic resident
    residents responsible rest result results rice rich ride right ring rise river rivers road rock
    role roles roof room root rope round row rule ruled ruler rules run runs sad safe sail saint
    salt sand save say says scared school schools science scientist sea season seasons seat secret
    secretary see seen sell senator senators send sense series serious serve served serves set
    several sex shape shared sharp sheet shine shirt shoe shoes shop short shot shoulder shout show
    shower shows shut shy sibling siblings sick side sight sights sign signed silence silver similar
    simple sing singer singers single sings sir sister sisters sit site situated size skill skin sky
    sleep slow small smaller smallest smart smell smile smoke smooth snow soap soft soil soldiers
    somebody someday somehow someone something sometimes somewhere son song songs soon sorry sort
    sound soundtrack soup south southern space speak speaker speaking speaks special species speech
    speed spell spend spoke spoken spoon sport sports spouse square stadium stadiums staff stairs
    stamp stand star starred starring stars start started starts state states station stations
    status stay steal steel stick stone stop store storm story strange street strong structure
    structures student students studied studies study stuff style subject successful successor
    sudden suddenly sugar suggest suit summer support sure surely surprise sweet swim system systems
    table tail take takes talk tall task taste taught tea teach teacher team teams tear tears teeth
    telephone television tell term territory test text thank thanks theme thick thin thing things
    think thousand thousands tie tight time times tiny tip tired title titles today toe together
    tonight took tool tooth top topic total touch tough tour tourist toward town towns track trade
    traffic train travel treasurer treaty tree trees tribe trick trip troops trouble trousers true
    trust truth try trying turn tv twice type types ugly umbrella uncle undergraduates understand
    union universities university unknown upset use used users uses using usual usually vacation
    value van various venue version versions vice victory view village visit visited voice voiced
    vote voted wait walk wall wander want wants war warm wars wash waste watch water wave way weak
    weapon wear weather website week weekend weight welcome went west western wet wheel white whole
    wide wife wild win wind window wine wing winner winners winning wins winter wise wish woman
    women won wonder wondering wood word words work worked working works worry worse worship
    worshipped worst worth write writer writers writes writing written wrong wrote yard year years
    yellow yes yesterday young younger youngest zip zone zoo
    """
)

MONTHS = _words(
    """
    april august december february friday january july june march monday november october saturday
    september sunday thursday tuesday wednesday
    """
)


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
    if word in COMMON:
        return Kind.COMMON
    if word in MONTHS:
        return Kind.MONTH
    return Kind.NUMBER if is_number(word) else Kind.OTHER


def misspelled(word: str) -> bool:
    """Whether it looks like a common word with a slip: 'authoer', 'wtih'."""
    allowed = 0 if len(word) < 4 else 1 if len(word) < 8 else 2
    if not allowed:
        return False
    return process.extractOne(word, _LONG, scorer=OSA.distance, score_cutoff=allowed) is not None


_LONG = sorted(word for word in FUNCTION | COMMON if len(word) > 3)


def is_number(word: str) -> bool:
    """'1980', '1980s', '26th', '1236'."""
    return word[:1].isdigit() and (word.isdigit() or word.rstrip("sthndr").isdigit())
