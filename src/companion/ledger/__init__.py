"""Claims, evidence and verdicts; the registry of figures and corrections."""
