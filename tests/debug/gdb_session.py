# Plays a session in gdb, and writes to KITH_OUTPUT what it shows. The commands are in the file that KITH_SESSION
# names; each is written after a prompt, as on a terminal, and the session goes on after one that fails.
#
#   @state 3    runs to stop(3) in world.c, and looks at the function that calls it
#   @COMMAND    plays another command in silence
#   # ...       a comment
import os

import gdb


def play(command):
    try:
        return gdb.execute(command, to_string=True) or ""
    except gdb.error as error:
        return "%s\n" % error


def run_to(state):
    gdb.execute("tbreak stop if state == %s" % state, to_string=True)
    running = gdb.selected_inferior().pid != 0
    gdb.execute("continue" if running else "run > %s" % os.devnull, to_string=True)
    gdb.execute("up", to_string=True)


for setting in ("pagination off", "confirm off", "width 0", "host-charset UTF-8", "breakpoint pending on"):
    gdb.execute("set " + setting)
with open(os.environ["KITH_SESSION"], encoding="utf-8") as session:
    lines = session.read().splitlines()
with open(os.environ["KITH_OUTPUT"], "w", encoding="utf-8") as output:
    for line in lines:
        if line.startswith("@state "):
            run_to(line.split()[1])
        elif line.startswith("@"):
            play(line[1:])
        elif line.startswith("#"):
            output.write(line + "\n")
        elif line:
            output.write("(gdb) %s\n%s" % (line, play(line)))
