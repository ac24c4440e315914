"""Checks of the papers' statements, one module a page; each returns a `mollified.checks.Check`.

Every function takes what can be broken as an argument, so that a control is the same code on a wrong statement.
"""
