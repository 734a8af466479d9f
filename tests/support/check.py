"""Conditions that a test puts to a program, each by name; all are tried before the test fails."""

import sys


class Checks:
    def __init__(self) -> None:
        self.wrong = 0

    def true(self, name: str, condition: bool, otherwise: str) -> bool:
        """Whether it holds; `otherwise` is shown where it does not."""
        print(f"{name}: {'right' if condition else 'WRONG'}", flush=True)
        if not condition:
            self.wrong += 1
            print(otherwise, file=sys.stderr, flush=True)
        return condition

    def equal(self, name: str, found: object, wanted: object) -> bool:
        return self.true(name, found == wanted, f"  found:  {found}\n  wanted: {wanted}")

    def status(self) -> int:
        return 1 if self.wrong else 0
