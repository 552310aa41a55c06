"""What the tests share."""
import pathlib
import sys

import hypothesis

hypothesis.settings.register_profile("quick", max_examples=25, deadline=None, database=None, derandomize=True)
hypothesis.settings.load_profile("quick")

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(pathlib.Path(__file__).parent))


def pytest_configure(config):
    import os
    config.build = pathlib.Path(os.environ.get("ALGPRIOR_BUILD", ROOT / "build/release"))


import pytest  # noqa: E402


@pytest.fixture
def build(request):
    """The folder of the build."""
    return request.config.build
