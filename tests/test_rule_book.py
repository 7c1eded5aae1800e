"""Each rule and each edge case of facts/protocol.md has a test that names it."""

import ast
import re
from functools import cache
from pathlib import Path

NUMBERS = re.compile(r"\b(row|rule)s? (\d+(?:(?:, | and | to )\d+)*)", re.IGNORECASE)
"""``Row 25``, ``rules 9 to 12``, ``Rows 1, 2 and 4``."""


@cache
def modules():
    """All modules of tests, parsed."""
    paths = sorted(Path(__file__).parent.rglob("test_*.py"))
    return [ast.parse(path.read_text("utf-8")) for path in paths]


def functions(module):
    """The tests of a module."""
    found = (node for node in module.body if isinstance(node, ast.FunctionDef))
    return [node for node in found if node.name.startswith("test_")]


def named(function, kind):
    """The rows or rules that a docstring names."""
    numbers = set()
    for what, listed in NUMBERS.findall(ast.get_docstring(function) or ""):
        if what.lower() == kind:
            for first, last in re.findall(r"(\d+)(?: to (\d+))?", listed):
                numbers.update(range(int(first), int(last or first) + 1))
    return numbers


def parameters(function, constants):
    """What stands in the parameters of a test, and in the lists that they name."""
    for decorator in function.decorator_list:
        if "parametrize" in ast.unparse(decorator):
            for node in ast.walk(decorator):
                is_name = isinstance(node, ast.Name) and node.id in constants
                yield from ast.walk(constants[node.id]) if is_name else [node]


def rows_of(function, constants):
    """The rows of which a test has a parameter; its docstring may name them for all of them."""
    nodes = list(parameters(function, constants))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    cases = {call.args[0].value for call in calls if ast.unparse(call.func) == "row"}
    return cases | (named(function, "row") if nodes else set())


def test_each_edge_case_is_a_parameter_of_a_test():
    """All rows of facts/protocol.md §6."""
    found = set()
    for module in modules():
        assigned = (node for node in module.body if isinstance(node, ast.Assign))
        constants = {ast.unparse(node.targets[0]): node.value for node in assigned}
        found.update(*(rows_of(function, constants) for function in functions(module)))
    assert found == set(range(1, 67))


def test_each_rule_is_named_by_the_test_that_shows_it():
    """All of facts/protocol.md §2."""
    found = [named(function, "rule") for module in modules() for function in functions(module)]
    assert set().union(*found) == set(range(1, 33))
