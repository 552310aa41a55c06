"""Every exception says what, where, expected and next, with the Python values in it."""
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import algprior
from algprior import Group, regular, trivial


def test_errors_have_their_parts_and_pickle():
    with pytest.raises(algprior.InputError) as caught:
        Group("D0")
    error = caught.value
    assert isinstance(error, algprior.Error) and isinstance(error, ValueError)
    assert "D0" in str(error) and error.what and error.expected
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is algprior.InputError and str(again) == str(error) and again.next == error.next


@pytest.mark.parametrize("value", [-1, 8, 10**30, np.int64(99)])
def test_elements_out_of_range_are_named(value):
    with pytest.raises(algprior.InputError, match=f"{value}(.|\n)*D4") as caught:
        Group("D4").word(value)
    assert caught.value.where == str(value) and caught.value.next == "group.elements lists them"


@pytest.mark.parametrize("value", [1.5, None, [1]])
def test_what_is_no_number_is_a_type_error(value):
    with pytest.raises(TypeError):
        Group("D4").word(value)


def test_wrong_words_point_at_the_letter():
    with pytest.raises(algprior.InputError, match="generators r, s"):
        Group("D4").element("r*t")
    with pytest.raises(algprior.InputError, match="no single word"):
        Group("D4").element("r, s")


def test_limits_and_values():
    with pytest.raises(algprior.LimitError):
        Group("S13")
    with pytest.raises(algprior.LimitError, match="table"):
        Group("S7").table()
    with pytest.raises(algprior.InputError, match='"Q"'):
        Group("D4").irreps("Q")
    with pytest.raises(algprior.InputError):
        regular(Group("D4")) + trivial(Group("C4"))
    with pytest.raises(algprior.InputError, match="subgroup"):
        regular(Group("C3")).induce(Group("D4").subgroup(["s"]))
    with pytest.raises(algprior.InputError, match="relator|r\\^4"):
        algprior.Representation(Group("C4"), [np.array([[1.0, 1.0], [0.0, 1.0]])])


SLOW = """
import algprior
print("ready", flush=True)
try:
    algprior.Group("S8").irreps()
except KeyboardInterrupt:
    print("stopped", flush=True)
    print(algprior.Group("D4").irreps()[4].dimension, flush=True)
"""


# 2026-11-18: the work was over before Ctrl-C came on a fast machine (S7: 0.27 s); S8 takes eight times as long.
def test_control_c_stops_long_work_and_leaves_the_process_whole():
    with subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        lines = process.stdout.read().splitlines()
    assert lines == ["stopped", "2"]
    assert process.returncode == 0


def test_long_work_in_other_threads_needs_no_signals():
    found = []
    thread = threading.Thread(target=lambda: found.append(Group("S5").character_table().degrees))
    thread.start()
    thread.join()
    assert found == [[1, 1, 4, 4, 5, 5, 6]]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
