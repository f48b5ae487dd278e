"""What the figures of a judge are called."""

from __future__ import annotations

from vantage.benchmarks.judging.judges import match_name


def test_only_what_a_model_marked_is_called_llm_match() -> None:
    judges = ("rules", "model:openai:llama", "model:fake#1+2", "modeling", "")
    assert [match_name(judge) for judge in judges] == [
        *("rule match", "LLM-Match", "LLM-Match", "match by modeling", "match by ")
    ]
