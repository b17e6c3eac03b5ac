"""Kith in gdb: printers for handles, worlds, queries, iterators and texts, and the command "kith".

    source PREFIX/share/kith/debug/kith_gdb.py

in gdb or in ~/.gdbinit loads them. "kith help" tells the rest.
"""

import os
import sys

import gdb
import gdb.printing

# Not by __file__, which is another script's if that one has sourced this.
sys.path.insert(0, os.path.dirname(os.path.abspath(sys._getframe().f_code.co_filename)))

# No __pycache__ in the directory, which "uninstall" would not know of.
writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
import kith_report  # noqa: E402
from kith_layout import Memory, Trouble, holder  # noqa: E402
from kith_report import Found  # noqa: E402

sys.dont_write_bytecode = writes_none

FRAMES_MAX = 64
LEADS = ("kith_world", "kith_query", "kith_iter")


class Target:
    """Memory and debug information, for kith_layout."""

    def __init__(self):
        order = gdb.execute("show endian", to_string=True)
        self.byte_order = "big" if "big endian" in order else "little"

    def read(self, address, size):
        if size == 0:
            return b""
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except (gdb.error, OverflowError, ValueError):
            raise Trouble("memory at 0x%x cannot be read" % address) from None

    def type(self, kind, name):
        for spelling in ("%s %s" % (kind, name), name):
            try:
                found = gdb.lookup_type(spelling).strip_typedefs()
            except gdb.error:
                continue
            if found.sizeof > 0 and found.fields():
                return found
        return None

    def size(self, name):
        found = self.type("struct", name)
        return None if found is None else found.sizeof

    def member(self, name, path):
        found = self.type("struct", name)
        offset = 0
        for part in path.split("."):
            field = find_field(found, part)
            if field is None:
                return None
            offset += field.bitpos // 8
            found = field.type.strip_typedefs()
        return offset, found.sizeof

    def enumerators(self, name):
        found = self.type("enum", name)
        return {} if found is None else {field.enumval: field.name for field in found.fields()}


def find_field(type_, name):
    if type_ is None or type_.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return None
    for field in type_.fields():
        if field.name == name:
            return field
    return None


def struct_name(type_):
    type_ = type_.strip_typedefs().unqualified()
    return type_.tag or type_.name or str(type_)


def find(value):
    """A value as Found: a struct, or what a pointer points to."""
    try:
        type_ = value.type.strip_typedefs()
        if type_.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            value = value.referenced_value()
            type_ = value.type.strip_typedefs()
        name = struct_name(type_)
        if holder(name) is not None:
            return find(value[holder(name)])
        if type_.code == gdb.TYPE_CODE_PTR:
            name = struct_name(type_.target())
            if holder(name) is not None:
                return find(value.dereference())
            address = int(value)
            size = type_.target().strip_typedefs().sizeof
            return Found(name, address, read_or_none(address, size) if address else None)
        if value.address is None:  # in registers, or the result of a call
            return Found(name, None, numbers_of(value, type_))
        return Found(name, int(value.address), read_or_none(int(value.address), type_.sizeof))
    except gdb.error as error:
        raise Trouble(str(error)) from None


def numbers_of(value, type_):
    """The bytes of a struct of whole numbers, such as a handle; None for others."""
    data = b""
    if type_.code != gdb.TYPE_CODE_STRUCT:
        return None
    for field in type_.fields():
        if field.type.strip_typedefs().code != gdb.TYPE_CODE_INT:
            return None
        data += int(value[field]).to_bytes(field.type.sizeof, Target().byte_order)
    return data


def read_or_none(address, size):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, size))
    except (gdb.error, TypeError, OverflowError):
        return None


def target_of(type_):
    """The type that a pointer or a reference leads to; of others the type itself."""
    type_ = type_.strip_typedefs()
    if type_.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        type_ = type_.target().strip_typedefs()
    return type_


def leads(type_):
    """Whether a variable of a type may lead to a world."""
    name = struct_name(target_of(type_))
    return name in LEADS or holder(name) is not None


def leading(symbol, frame):
    """What a variable leads to: itself, or those members of its struct that may lead to a world."""
    if not (symbol.is_variable or symbol.is_argument) or symbol.type is None:
        return
    type_ = target_of(symbol.type)
    paths = [()] if leads(symbol.type) else []
    if not paths and type_.code == gdb.TYPE_CODE_STRUCT:
        members = [field for field in type_.fields() if hasattr(field, "bitpos") and field.name]
        paths = [(field.name,) for field in members if leads(field.type)]
    for path in paths:
        try:
            value = symbol.value(frame) if symbol.needs_frame else symbol.value()
            for name in path:
                value = value[name]  # also of a pointer's target
            yield find(value)
        except (gdb.error, Trouble):
            pass  # optimised out, not there yet, or a pointer to nowhere


def variables(block, frame):
    """What the variables of one block lead to."""
    for symbol in block:
        yield from leading(symbol, frame)


class Session:
    """One stop of the program, for kith_report."""

    def __init__(self):
        self.memory = Memory(Target())

    def chosen(self):
        value = gdb.convenience_variable("kith_world")
        if value is None or value.type.code == gdb.TYPE_CODE_VOID:
            return None
        if value.type.strip_typedefs().code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR):
            if int(value) == 0:
                return None
            if value.type.strip_typedefs().code == gdb.TYPE_CODE_INT:
                return Found("kith_world", int(value), None)
        return find(value)

    def choose(self, address):
        gdb.set_convenience_variable("kith_world", address or 0)

    def evaluate(self, expression):
        try:
            return find(gdb.parse_and_eval(expression))
        except gdb.error as error:
            raise Trouble(str(error)) from None

    def frames(self):
        try:
            frame = gdb.selected_frame()
        except gdb.error:
            return
        shared = {}
        for _ in range(FRAMES_MAX):
            if frame is None:
                break
            found = []
            try:
                block = frame.block()
            except RuntimeError:
                block = None  # no debug information about this function
            while block is not None:
                if block.is_static or block.is_global:
                    shared[(block.start, block.end, block.is_global)] = (block, frame)
                else:
                    found.extend(variables(block, frame))
                block = block.superblock
            yield found
            try:
                frame = frame.older()
            except gdb.error:
                frame = None  # the stack is broken
        yield [found for block, frame in shared.values() for found in variables(block, frame)]


def writable(text):
    """The text, without characters that the user's terminal does not have."""
    charset = gdb.host_charset() if hasattr(gdb, "host_charset") else "ascii"
    try:
        return text.encode(charset, "backslashreplace").decode(charset)
    except LookupError:
        return text.encode("ascii", "backslashreplace").decode("ascii")


class Printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            return writable(kith_report.show(Session(), find(self.value)))
        except Trouble as trouble:
            return "<%s>" % trouble


def find_printer(value):
    type_ = value.type.strip_typedefs()
    if type_.code != gdb.TYPE_CODE_STRUCT:
        return None
    name = struct_name(type_)
    return Printer(value) if name in kith_report.PRINTERS or holder(name) is not None else None


find_printer.__name__ = "kith"


class Command(gdb.Command):
    """Shows what is in a Kith world; "kith help" lists how."""

    def __init__(self):
        super().__init__("kith", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        try:
            gdb.write(writable(kith_report.run(Session(), argument)) + "\n")
        except Trouble as trouble:
            raise gdb.GdbError(writable(str(trouble))) from None

    def complete(self, text, word):
        if " " in text.strip():
            return gdb.COMPLETE_EXPRESSION
        return [name for name in kith_report.COMMANDS if name.startswith(text)]


gdb.printing.register_pretty_printer(None, find_printer, replace=True)
Command()
