"""Runs the examples of docstrings, those of classes written in C++ too, which doctest does not find by itself."""
import doctest
import inspect


def of_module(module, **names):
    """Every public object of the module with its methods; returns how many examples ran."""
    finder = doctest.DocTestParser()
    runner = doctest.DocTestRunner(verbose=False)
    ran, failures = 0, []

    def run(text, name):
        nonlocal ran
        test = finder.get_doctest(text or "", dict(vars(module), **names), name, name, 0)
        report = []
        result = runner.run(test, out=report.append)
        if result.failed:
            failures.append("".join(report))
        ran += result.attempted

    run(module.__doc__, module.__name__)
    for name in module.__all__:
        if name == "torch":  # has examples of its own
            continue
        value = getattr(module, name)
        run(value.__doc__, name)
        if inspect.isclass(value):
            for member, method in vars(value).items():
                if not member.startswith("_"):
                    run(getattr(method, "__doc__", ""), f"{name}.{member}")
    assert not failures, "".join(failures)
    return ran
