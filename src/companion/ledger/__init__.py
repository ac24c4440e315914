"""Claims, evidence and verdicts; the registry of figures."""
