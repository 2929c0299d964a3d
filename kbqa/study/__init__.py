"""User studies: a study file, participants and what they do, and the analysis of what they left.

study = read_study(Path("study.toml"))
with Register(study.folder, study) as register: ...

The design is the usability study's (Lewis et al., METHODS.md section 1): ten dialogues in one system and
a survey, ten in the other and a survey, then three questions that compare the two.
"""
