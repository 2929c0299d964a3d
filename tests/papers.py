"""The papers' questions over the stub, each with three other wordings: (wording, names that an
answer must be, step answers that must be seen on the way). kbqa/synth/held_out.txt keeps the six
out of real and synthetic training questions; none of the 24 was trained on (bench/held_out.py)."""

from __future__ import annotations

QUESTIONS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = tuple(
    (wording, frozenset({answer}), frozenset({way}))
    for answer, way, wordings in (
        (
            "Arabic",
            "Egypt",
            (
                "What is the official language of the country that contains Al Sharqia Governorate?",
                "Which language is official in the nation where Al Sharqia Governorate is located?",
                "Al Sharqia Governorate is in a country that has what official language?",
                "what's the official language of the country with the governorate al sharqia governorate",
            ),
        ),
        (
            "2014 World Series",
            "San Francisco Giants",
            (
                "Lou Seal is the mascot for the team that last won the World Series when?",
                "When did the team whose mascot is Lou Seal last win the World Series?",
                "What was the last World Series won by the team that has Lou Seal as its mascot?",
                "When was the most recent World Series win of the team with the mascot Lou Seal?",
            ),
        ),
        (
            "Belmont University",
            "Brad Paisley",
            (
                'Where did the "Country Nation World Tour" concert artist go to college?',
                "What college did the artist of the Country Nation World Tour attend?",
                "Which university did the singer who went on the Country Nation World Tour go to?",
                "The artist who had the Country Nation World Tour was educated where?",
            ),
        ),
        (
            "Unbroken",
            "Unbroken",
            (
                "What movie written by Ethan Coen was directed by Angelina Jolie?",
                "Which film directed by Angelina Jolie did Ethan Coen write?",
                "Ethan Coen wrote which movie that Angelina Jolie directed?",
                "Name the movie that was written by Ethan Coen and directed by Angelina Jolie.",
            ),
        ),
        (
            "Danish",
            "Denmark",
            (
                "What language is used in the country where Faxe Premium beer was created?",
                "What language do they speak in the country where Faxe Premium is made?",
                "Faxe Premium comes from a country that speaks what language?",
                "In the country that makes Faxe Premium beer, what is the official language?",
            ),
        ),
        (
            "Muhammad Zia-ul-Haq",
            "Pakistan",
            (
                "Who was the president in 1980 of the country that has Azad Kashmir?",
                "Who was president in 1980 of the country containing Azad Kashmir?",
                "In 1980, who was the president of the country that Azad Kashmir belongs to?",
                "Azad Kashmir is part of the country that had which president in 1980?",
            ),
        ),
    )
    for wording in wordings
)
