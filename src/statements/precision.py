"""Set the precision of python-flint's balls, one thread at a time.

There is one precision for the whole process. Whoever computes with balls does so inside
`working_precision`; then what other threads do in the meantime changes no digit.
"""

from threading import RLock

from flint import ctx

#: Held by the thread that computes with balls, as often as it asks for it.
ONE_AT_A_TIME = RLock()


class working_precision:
    """Compute in balls of so many bits; other threads wait until it ends.

    `or_more`: of more where more are at work already. Raises ValueError for less than
    two bits. A class, as inner loops enter it: a generator takes three times as long.
    """

    __slots__ = ("_before", "_bits", "_or_more")

    def __init__(self, bits: int, *, or_more: bool = False) -> None:
        self._bits = bits
        self._or_more = or_more

    def __enter__(self) -> None:
        ONE_AT_A_TIME.acquire()
        self._before = ctx.prec
        try:
            ctx.prec = max(self._bits, self._before) if self._or_more else self._bits
        except ValueError:
            ONE_AT_A_TIME.release()
            raise

    def __exit__(self, *error: object) -> None:
        ctx.prec = self._before
        ONE_AT_A_TIME.release()
