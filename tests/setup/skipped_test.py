"""scripts/skipped.py on logs as ctest writes them."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = "Start testing: Nov 18 00:20 UTC\n----------------------------------------------------------\n"
PROGRAM = """1/2 Testing: {0}
1/2 Test: {0}
Command: "/x/{0}"
Output:
----------------------------------------------------------
{1}
<end of output>
Test time =   0.08 sec
----------------------------------------------------------
Test Passed.
"""
CASE = """[ RUN      ] {0}
/x/y_test.cpp:23: Skipped
{1}

[  SKIPPED ] {0} (3 ms)
[  PASSED  ] 4 tests.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] {0}"""


class Skipped(unittest.TestCase):
    def answer(self, *outputs, strict=True):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "Testing/Temporary"
            place.mkdir(parents=True)
            log = HEAD + "".join(PROGRAM.format(f"program_{i}", text) for i, text in enumerate(outputs))
            (place / "LastTest.log").write_text(log)
            done = subprocess.run([sys.executable, ROOT / "scripts/skipped.py", *(["--strict"] if strict else []), folder],
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return done.returncode, done.stdout

    def test_nothing(self):
        code, text = self.answer("[       OK ] Suite.Case (1 ms)")
        self.assertEqual(code, 0)
        self.assertIn("0 tests were skipped", text)

    def test_a_case_that_is_not_listed_fails_with_its_reason_and_remedy(self):
        code, text = self.answer("fine", CASE.format("Suite.Case", "no NumPy for /usr/bin/python3"))
        self.assertEqual(code, 1)
        self.assertIn("Suite.Case: no NumPy for /usr/bin/python3; what would run it: scripts/setup.sh python", text)
        self.assertIn("1 test was skipped", text)

    def test_without_strict_it_only_tells(self):
        code, text = self.answer(CASE.format("Suite.Case", "no reason"), strict=False)
        self.assertEqual(code, 0)
        self.assertIn("1 test was skipped", text)

    def test_listed_cases_and_families_may_be_skipped(self):
        for name in ("ExperimentCommands.WhatTrainsSaysThatLibTorchIsAbsent", "SmokeReference.Any"):
            self.assertEqual(self.answer(CASE.format(name, "built with LibTorch"))[0], 0)

    def test_a_program_that_skips_itself(self):
        code, text = self.answer("first\nskipped: there is no node (scripts/setup.sh browser installs it)")
        self.assertEqual(code, 1)
        self.assertIn("program_0: there is no node", text)

    def test_no_log(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "scripts/skipped.py", folder], stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("run ctest first", done.stderr)


if __name__ == "__main__":
    unittest.main()
