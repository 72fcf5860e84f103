"""Training of the forest that predicts the quality of a result."""

import json
from pathlib import Path

import pytest

pytest.importorskip("lightgbm", reason="lightgbm is not installed (make train installs it): training is not tested")

import numpy as np  # type: ignore[import-not-found,unused-ignore]
import quality
from boosting import exported
from quality import Measured, fitted, predicted, show
from train import written

from dehusk.methods.evidence.model import SEAL, model_of
from dehusk.methods.evidence.quality import OF_QUALITY


def some(count: int) -> list[Measured]:
    """Pages whose F1 is their first column, in five folds."""
    shares = [(number * 37 % count) / count for number in range(count)]
    rest = [0.0] * (len(OF_QUALITY) - 1)
    return [
        Measured("set", number % 5, [share, *rest], share, 1, may_train=True) for number, share in enumerate(shares)
    ]


def test_quality_is_predicted_for_each_fold_from_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    measured = some(300)
    found = predicted(measured)
    f1 = np.array([one.f1 for one in measured])
    assert np.corrcoef(found, f1)[0, 1] > 0.9
    show("all", found, f1)
    assert "300 pages, 210 below 0.7" in capsys.readouterr().out


def test_brands_that_may_not_be_trained_on_are_only_predicted() -> None:
    measured = [*some(300), Measured("big9", 0, [0.5] * len(OF_QUALITY), 0.0, 1, may_train=False)]
    assert predicted(measured)[-1] > 0.2


def test_the_forest_fits_into_a_weights_file() -> None:
    weights = json.loads(
        Path(quality.__file__).parents[1].joinpath("src/dehusk/methods/evidence/weights.json").read_text("utf-8")
    )
    weights["quality"] = exported(fitted(some(300)), OF_QUALITY)
    weights.pop(SEAL)
    model = model_of(json.loads(written(weights)))
    assert model.quality is not None
