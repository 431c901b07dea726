"""Holds the cases of a dialect, on standard input, to what a real package does with them."""

import json
import sys
from importlib.metadata import distribution, version
from importlib.util import module_from_spec, spec_from_file_location


class Skip(Exception):
    """The package has no say in this case; the text says why, as docs/formats.md shows it."""


def check(package, how, sends, reads, wanted=None, installed=None):
    """`sends(payload)` returns `payload` as the package itself makes or reads it; `reads(payload, out)` what the
    package understands of our answer to it. That must be `wanted(case)`, or satisfy it if it is a function. What
    is no answer may be refused, and may not be understood as one: `reads` returns None then."""
    tell(package=package, version=installed or version(package), how=how)
    for case in json.load(sys.stdin):
        try:
            problem = problem_of(case, sends, reads, wanted or chosen)
            tell(case=case["case"], **({"problem": problem} if problem else {}))
        except Skip as why:
            tell(case=case["case"], skipped=str(why))


def problem_of(case, sends, reads, wanted):
    try:
        made = sends(case["in"])
    except Skip:
        raise
    except Exception as error:
        return f"it refuses the question: {type(error).__name__}: {error}"
    if made != case["in"] and not case["advised"]:
        return f"it would send\n{json.dumps(made, default=str)}\ninstead of\n{json.dumps(case['in'])}"
    try:
        understood = reads(case["in"], case["out"])
    except Exception as error:
        if case["chosen"] is None:
            return None
        return f"it refuses the answer: {type(error).__name__}: {error}"
    expected = wanted(case)
    if expected(understood) if callable(expected) else understood == expected:
        return None
    return f"it understands\n{json.dumps(understood, default=str)}\nof\n{json.dumps(case['out'])}"


def chosen(case):
    """The words of the person for each question: labels, then own words; or the value."""
    return case["chosen"] and [words(answer) for answer in case["chosen"]]


def words(answer):
    if answer["value"] is not None:
        return answer["value"]
    return answer["labels"] + ([answer["other"]] if answer["other"] is not None else [])


def given(case):
    """All that the person gave, as the values of the payload, in no order; None if it is no answer."""
    if case["chosen"] is None:
        return None
    found = []
    for answer in case["chosen"]:
        options = zip(answer["values"], answer["labels"])
        found += [label if value is None else value for value, label in options]
        found += leaves([answer["other"], answer["note"], answer["value"]])
    return sorted(map(repr, found))


def leaves(value):
    """The texts, numbers and truths inside, without nothings."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for one in value for leaf in leaves(one)]
    return [] if value is None else [value]


def module(package, path):
    """One file of a package, without all that the package would load with it."""
    spec = spec_from_file_location(f"_{package}", distribution(package).locate_file(path))
    loaded = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def tell(**line):
    print(json.dumps(line), flush=True)
