"""The documentation of the features is generated from the declarations."""

from pathlib import Path

from describe import described


def test_the_documented_features_are_those_of_the_code() -> None:
    assert (Path(__file__).parents[2] / "docs" / "features.md").read_text("utf-8") == described()
