"""The crowd task: a ParlAI world under Mephisto that holds a study's dialogues with `kbqa serve` over HTTP.

It runs in an environment of its own (`make crowd`), in which kbqa is not installed. Only `shim`, `world`,
`architect` and `launch` import ParlAI or Mephisto; everything else runs anywhere.
"""
