# In gdb: the printers and all commands over memory in which words are wrong, in many ways. Whatever they read, they
# have to answer, if only with a sentence: a Python exception other than Trouble fails, and so does taking long.
import os
import random
import time

import gdb
import kith_gdb
import kith_report
from kith_layout import Trouble

ROUNDS = 1500 if os.environ.get("KITH_TEST_LONG") else 15  # in each state
SECONDS = 20  # for a round

COMMANDS = (
    "world",
    "entity scene->player",
    "entity scene->statue",
    "entity 1501",
    "entities",
    "tables",
    "types",
    "queries",
    "resources",
    "query poisoned",
    "query it",
)
SHOWN = ("*scene->world", "scene->player", "*either", "it", "scene->unknown")


class BrokenTarget(kith_gdb.Target):
    """Some bytes of each page are others."""

    def __init__(self, seed):
        super().__init__()
        self.random = random.Random(seed)
        self.often = self.random.choice((0.0005, 0.005, 0.05))

    def read(self, address, size):
        data = bytearray(super().read(address, size))
        for at in range(0, size - 7, 4):
            if self.random.random() < self.often:
                wrong = self.random.choice((0, 1, 0xFF, 0xFFFFFFFF, self.random.getrandbits(32)))
                data[at : at + 4] = wrong.to_bytes(4, "little")
        return bytes(data)


def session_of(seed):
    session = kith_gdb.Session()
    session.memory.target = BrokenTarget(seed)
    return session


def answer(seed):
    """How many commands and printers had something to show."""
    shown = 0
    for command in COMMANDS:
        try:
            kith_report.run(session_of(seed), command)
            shown += 1
        except Trouble:
            pass
    for expression in SHOWN:
        session = session_of(seed)
        shown += not kith_report.show(session, session.evaluate(expression)).startswith("<")
    return shown


answered = rounds = 0
for state in (4, 6, 7, 8):  # with an iterator of each kind
    gdb.execute("tbreak stop if state == %u" % state, to_string=True)
    gdb.execute("continue" if rounds else "run > %s" % os.devnull, to_string=True)
    gdb.execute("up", to_string=True)
    for _ in range(ROUNDS):
        started = time.time()
        answered += answer(rounds)
        if time.time() - started > SECONDS:
            raise RuntimeError("round %u took %u s" % (rounds, time.time() - started))
        rounds += 1
asked = rounds * (len(COMMANDS) + len(SHOWN))
if answered < asked / 3:
    raise RuntimeError("only %u of %u could be shown" % (answered, asked))
with open(os.environ["KITH_OUTPUT"], "w", encoding="utf-8") as output:
    output.write("%u of %u\n" % (answered, asked))
