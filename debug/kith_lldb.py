"""Kith in lldb: summaries of handles, worlds, queries, iterators and texts, and the command "kith".

    command script import PREFIX/share/kith/debug/kith_lldb.py

in lldb or in ~/.lldbinit loads them. "kith help" tells the rest.
"""

import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

# No __pycache__ in the directory, which "uninstall" would not know of.
writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
import kith_report  # noqa: E402
from kith_layout import HOLDERS, Memory, Trouble, holder  # noqa: E402
from kith_report import Found  # noqa: E402

sys.dont_write_bytecode = writes_none

FRAMES_MAX = 64
LEADS = ("kith_world", "kith_query", "kith_iter")

chosen_world = None


class Target:
    """Memory and debug information, for kith_layout."""

    def __init__(self, target):
        self.target = target
        little = target.GetByteOrder() != lldb.eByteOrderBig
        self.byte_order = "little" if little else "big"

    def read(self, address, size):
        if size == 0:
            return b""
        error = lldb.SBError()
        data = self.target.GetProcess().ReadMemory(address, size, error)
        if error.Fail() or data is None or len(data) != size:
            raise Trouble("memory at 0x%x cannot be read" % address)
        return data

    def type(self, name):
        for found in self.target.FindTypes(name):
            found = found.GetCanonicalType()
            if found.GetNumberOfFields() > 0 or found.GetTypeClass() == lldb.eTypeClassEnumeration:
                return found
        return None

    def size(self, name):
        found = self.type(name)
        return None if found is None else found.GetByteSize()

    def member(self, name, path):
        found = self.type(name)
        offset = 0
        for part in path.split("."):
            fields = {} if found is None else {field.GetName(): field for field in found.fields}
            if part not in fields:
                return None
            offset += fields[part].GetOffsetInBytes()
            found = fields[part].GetType().GetCanonicalType()
        return offset, found.GetByteSize()

    def enumerators(self, name):
        found = self.type(name)
        if found is None:
            return {}
        return {member.GetValueAsUnsigned(): member.GetName() for member in found.enum_members}


def struct_name(type_):
    name = type_.GetCanonicalType().GetUnqualifiedType().GetName()
    return name[len("struct ") :] if name.startswith("struct ") else name


def target_of(type_):
    """The type that a pointer or a reference leads to; of others the type itself."""
    type_ = type_.GetCanonicalType()
    if type_.IsPointerType():
        return type_.GetPointeeType().GetCanonicalType()
    return type_.GetDereferencedType().GetCanonicalType() if type_.IsReferenceType() else type_


def find(value):
    """A value as Found: a struct, or what a pointer points to."""
    value = value.GetNonSyntheticValue()
    if value.GetType().GetCanonicalType().IsReferenceType():
        value = value.Dereference()
    type_ = value.GetType().GetCanonicalType()
    if not type_.IsValid() or value.GetError().Fail():
        raise Trouble(value.GetError().GetCString() or "that has no value")
    name = struct_name(target_of(type_))
    if holder(name) is not None:  # members of a pointer's target are found as well
        return find(value.GetChildMemberWithName(holder(name)))
    if type_.IsPointerType():
        address = value.GetValueAsUnsigned()
        value = value.Dereference()
        return Found(name, address, bytes_of(value) if address else None)
    address = value.GetLoadAddress()
    return Found(name, None if address == lldb.LLDB_INVALID_ADDRESS else address, bytes_of(value))


def bytes_of(value):
    data = value.GetData()
    error = lldb.SBError()
    found = data.ReadRawData(error, 0, data.GetByteSize()) if data.GetByteSize() else None
    return None if error.Fail() else found


def leads(type_):
    """Whether a variable of a type may lead to a world."""
    name = struct_name(target_of(type_))
    return name in LEADS or holder(name) is not None


def variables(values):
    """What variables lead to: itself, or those members of its struct that may lead to a world."""
    for value in values:
        type_ = target_of(value.GetType())
        found = [value] if leads(value.GetType()) else []
        if not found and type_.GetTypeClass() in (lldb.eTypeClassStruct, lldb.eTypeClassClass):
            names = [field.GetName() for field in type_.fields if leads(field.GetType())]
            found = [value.GetNonSyntheticValue().GetChildMemberWithName(name) for name in names]
        for leading in found:
            try:
                yield find(leading)
            except Trouble:
                pass  # optimised out, not there yet, or a pointer to nowhere


class Session:
    """One stop of the program, for kith_report."""

    def __init__(self, target):
        self.target = target
        self.memory = Memory(Target(target))

    def chosen(self):
        return None if chosen_world is None else Found("kith_world", chosen_world, None)

    def choose(self, address):
        global chosen_world
        chosen_world = address

    def frame(self):
        return self.target.GetProcess().GetSelectedThread().GetSelectedFrame()

    def evaluate(self, expression):
        frame = self.frame()
        value = frame.GetValueForVariablePath(expression)
        if not value.IsValid() or value.GetError().Fail():
            options = lldb.SBExpressionOptions()
            options.SetAllowJIT(False)  # that would run code in the program
            if frame.IsValid():
                value = frame.EvaluateExpression(expression, options)
            else:
                value = self.target.EvaluateExpression(expression, options)
        if not value.IsValid() or value.GetError().Fail():
            raise Trouble("'%s' cannot be evaluated here" % expression)
        return find(value)

    def frames(self):
        frame = self.frame()
        if not frame.IsValid():
            return
        frames = list(frame.GetThread())[frame.GetFrameID() :][:FRAMES_MAX]
        for one in frames:
            found = []
            block = one.GetBlock()
            while block.IsValid():
                values = block.GetVariables(one, True, True, True, lldb.eNoDynamicValues)
                found.extend(variables(values))
                block = block.GetParent()
            yield found
        shared = [one.GetVariables(False, False, True, True) for one in frames]
        yield [found for values in shared for found in variables(values)]


def summary(value, _):
    """The line of a struct."""
    try:
        return kith_report.show(Session(value.GetTarget()), find(value))
    except Trouble as trouble:
        return "<%s>" % trouble


def command(debugger, line, result, _):
    try:
        result.AppendMessage(kith_report.run(Session(debugger.GetSelectedTarget()), line))
    except Trouble as trouble:
        result.SetError(str(trouble))


def __lldb_init_module(debugger, _):
    add = "type summary add --skip-pointers -w kith -F kith_lldb.summary "
    for name in kith_report.PRINTERS:
        debugger.HandleCommand(add + name)
    for name in HOLDERS:
        debugger.HandleCommand('%s -x "^%s(<.*>)?$"' % (add, name))
    debugger.HandleCommand("type category enable kith")
    debugger.HandleCommand("command script add -f kith_lldb.command kith")
