#!/usr/bin/env python3
"""Prints the program that `reprise show --json` explains as pseudo-code: reprise show --json TRACE | pseudo_code.py"""

import json
import sys


def expression(e):
    if not isinstance(e, list):
        return e["constant"] if isinstance(e, dict) else str(e)
    operator, *operands = e[0], *map(expression, e[1:])
    if operator[0].isalpha():
        return f"{operator}({', '.join(operands)})"
    return {1: "{0}{1}", 2: "({1} {0} {2})", 3: "({1} ? {2} : {3})"}[len(operands)].format(operator, *operands)


def value(v):
    ((form, content),) = v.items()
    if form == "cases":
        return "(" + ", ".join(f"{value(c['value'])} if {value(c['who'])}" for c in content) + ")"
    if form in ("expression", "condition"):
        return expression(content)
    return content if form in ("parameter", "group") else f"{form} {json.dumps(content)}"


def call(n):
    listed = [(a["name"], a.get("value") or a.get("who") or a["elements"]) for a in n.get("arguments") or n["passed"]]
    return f"{n.get('procedure') or n['function']}({', '.join(f'{name}={value(v)}' for name, v in listed)})"


def head(n):
    match n["kind"]:
        case "loop":
            return f"for {n['index']} below {value(n['trips'])}:"
        case "condition":
            return f"if {value(n['taken'])}:"
        case "branch":
            return f"if {value(n['who'])}:"
        case "otherwise":
            return "else:"
        case "function":
            return f"{n['function']}:"
        case _:
            return call(n)


def show(nodes, depth=1):
    for n in nodes:
        print("  " * depth + head(n))
        show(n.get("body", []), depth + 1)


explained = json.load(sys.stdin)["explained"]
for procedure in explained["procedures"]:
    print(f"{procedure['name']}({', '.join(procedure['parameters'])}):")
    show(procedure["body"])
print("main:")
show(explained["body"])
