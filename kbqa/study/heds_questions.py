"""The questions of the human evaluation datasheet, HEDS 2 (Shimorina and Belz 2022), under the numbers of its
web form. The later HEDS 3.0 divides some of them further and has other numbers in section 4.3."""

from __future__ import annotations

from dataclasses import dataclass

WHOLE, TEXT = "integer", "text"


@dataclass(frozen=True, slots=True)
class Question:
    number: str
    text: str
    kind: str = TEXT


QUESTIONS = tuple(
    Question(*each)
    for each in (
        ("1.1.1", "Link to paper reporting the evaluation experiment."),
        ("1.1.2", "Which experiment within the paper is this form being completed for?"),
        ("1.2.1", "Link(s) to website(s) providing resources used in the evaluation experiment."),
        ("1.3.1.1", "Name of the person completing this sheet."),
        ("1.3.1.2", "Affiliation of the person completing this sheet."),
        ("1.3.1.3", "Email address of the person completing this sheet."),
        ("1.3.2.1", "Name of the contact author."),
        ("1.3.2.2", "Affiliation of the contact author."),
        ("1.3.2.3", "Email address of the contact author."),
        ("2.1", "What type of input do the evaluated system(s) take?"),
        ("2.2", "What type of output do the evaluated system(s) generate?"),
        (
            "2.3",
            "How would you describe the task that the evaluated system(s) perform in mapping the inputs in "
            "Q2.1 to the outputs in Q2.2?",
        ),
        ("2.4", "What are the input languages that are used by the system?"),
        ("2.5", "What are the output languages that are used by the system?"),
        (
            "3.1.1",
            "How many system outputs (or other evaluation items) are evaluated per system in the evaluation"
            " experiment?",
            WHOLE,
        ),
        (
            "3.1.2",
            "How are system outputs (or other evaluation items) selected for inclusion in the evaluation "
            "experiment?",
        ),
        ("3.1.3.1", "What method was used to determine the statistical power of the sample size?"),
        ("3.1.3.2", "What is the statistical power of the sample size?"),
        ("3.1.3.3", "Where can other researchers find details of the script used?"),
        ("3.2.1", "How many evaluators are there in this experiment?", WHOLE),
        ("3.2.2", "What kind of evaluators are in this experiment?"),
        ("3.2.3", "How are evaluators recruited?"),
        (
            "3.2.4",
            "What training and/or practice are evaluators given before starting on the evaluation itself?",
        ),
        ("3.2.5", "What other characteristics do the evaluators have?"),
        ("3.3.1", "Has the experimental design been preregistered? If yes, on which registry?"),
        ("3.3.2", "How are responses collected?"),
        (
            "3.3.3.1",
            "What quality assurance methods are used to ensure evaluators and/or their responses are "
            "suitable?",
        ),
        ("3.3.3.2", "Please describe in detail the quality assurance methods that were used."),
        (
            "3.3.4.1",
            "Please include a link to online copies of the form/interface that was shown to participants.",
        ),
        ("3.3.4.2", "What do evaluators see when carrying out evaluations?"),
        ("3.3.5", "How free are evaluators regarding when and how quickly to carry out evaluations?"),
        ("3.3.6", "Are evaluators told they can ask questions about the evaluation and/or provide feedback?"),
        ("3.3.7", "What are the experimental conditions in which evaluators carry out the evaluations?"),
        (
            "3.3.8",
            "Briefly describe the (range of different) conditions in which evaluators carry out the "
            "evaluations.",
        ),
        (
            "5.1",
            "Has the evaluation experiment this sheet is being completed for, or the larger study it is "
            "part of, been approved by a research ethics committee? If yes, which research ethics "
            "committee?",
        ),
        (
            "5.2",
            "Do any of the system outputs (or human-authored stand-ins) evaluated, or do any of the "
            "responses collected, in the experiment contain personal data (as defined in GDPR Art. 4, §1)? "
            "If yes, describe data and state how addressed.",
        ),
        (
            "5.3",
            "Do any of the system outputs (or human-authored stand-ins) evaluated, or do any of the "
            "responses collected, in the experiment contain special category information (as defined in "
            "GDPR Art. 9, §1)? If yes, describe data and state how addressed.",
        ),
        (
            "5.4",
            "Have any impact assessments been carried out for the evaluation experiment, and/or any data "
            "collected/evaluated in connection with it? If yes, summarise approach(es) and outcomes.",
        ),
    )
)
PER_CRITERION = tuple(
    Question(*each)
    for each in (
        ("4.1.1", "What type of quality is assessed by the quality criterion?"),
        ("4.1.2", "Which aspect of system outputs is assessed by the quality criterion?"),
        (
            "4.1.3",
            "Is each output assessed for quality in its own right, or with reference to a system-internal "
            "or external frame of reference?",
        ),
        ("4.2.1", "Does an individual assessment involve an objective or a subjective judgment?"),
        ("4.2.2", "Are outputs assessed in absolute or relative terms?"),
        ("4.2.3", "Is the evaluation intrinsic or extrinsic?"),
        ("4.3.1", "What do you call the quality criterion in explanations/interfaces to evaluators?"),
        (
            "4.3.2",
            "What definition do you give for the quality criterion in explanations/interfaces to evaluators?",
        ),
        (
            "4.3.3",
            "Size of scale or other rating instrument (i.e. how many different possible values there are).",
            WHOLE,
        ),
        ("4.3.4", "List or range of possible values of the scale or other rating instrument."),
        ("4.3.5", "How is the scale or other rating instrument presented to evaluators?"),
        (
            "4.3.6",
            "If there is no rating instrument, describe briefly what task the evaluators perform, and what "
            "information is recorded.",
        ),
        (
            "4.3.7",
            "What is the verbatim question, prompt or instruction given to evaluators (visible to them "
            "during each individual assessment)?",
        ),
        ("4.3.8", "Form of response elicitation."),
        (
            "4.3.9",
            "How are raw responses from participants aggregated or otherwise processed to obtain reported "
            "scores for this quality criterion?",
        ),
        (
            "4.3.10",
            "Method(s) used for determining effect size and significance of findings for this quality "
            "criterion.",
        ),
        (
            "4.3.11",
            "Has the inter-annotator and intra-annotator agreement between evaluators for this quality "
            "criterion been measured? If yes, what method was used, and what are the agreement scores?",
        ),
    )
)
