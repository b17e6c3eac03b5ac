# Plays a session in lldb, as gdb_session.py does in gdb. The program is the target that lldb was started with.
import os

import lldb


def run_to(target, state):
    breakpoint = target.BreakpointCreateByName("stop")
    breakpoint.SetCondition("state == %s" % state)
    process = target.GetProcess()
    if process.IsValid():
        process.Continue()
    else:
        target.LaunchSimple(None, None, os.getcwd())
    target.BreakpointDelete(breakpoint.GetID())
    thread = target.GetProcess().GetSelectedThread()
    thread.SetSelectedFrame(1)


def play(debugger, command):
    result = lldb.SBCommandReturnObject()
    thread = debugger.GetSelectedTarget().GetProcess().GetSelectedThread()
    context = lldb.SBExecutionContext(thread.GetSelectedFrame())
    debugger.GetCommandInterpreter().HandleCommand(command, context, result)
    return (result.GetOutput() or "") + (result.GetError() or "")


def __lldb_init_module(debugger, _):
    debugger.SetAsync(False)
    with open(os.environ["KITH_SESSION"], encoding="utf-8") as session:
        lines = session.read().splitlines()
    with open(os.environ["KITH_OUTPUT"], "w", encoding="utf-8") as output:
        for line in lines:
            if line.startswith("@state "):
                run_to(debugger.GetSelectedTarget(), line.split()[1])
            elif line.startswith("#"):
                output.write(line + "\n")
            elif line:
                output.write("(lldb) %s\n%s" % (line, play(debugger, line)))
