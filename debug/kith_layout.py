"""What the debuggers' printers know about Kith's structs, and how they read them.

This is the only place that names members of structs. A debugger gives a target, an object with:

    read(address, size)      bytes of the program's memory; Trouble if they cannot be read
    member(struct, path)     (offset, size) of a member, such as ("ki_table", "rows.count"); or None
    size(struct)             bytes of a struct; None without debug information about it
    enumerators(enum)        {value: name}; empty without debug information
    byte_order               "little" or "big"

Nothing here calls functions of the program, so all of it also works on a core dump.
"""

import struct

# Struct: what the printers call a member, and its path in C where that is another one.
MEMBERS = {
    "kith_entity": {"index1": "index1", "generation": "generation"},
    "kith_text": {"number": "number"},
    "kith_type": {"name": "name", "size": "size", "field_count": "field_count", "fields": "fields"},
    "kith_field": {"name": "name", "offset": "offset", "size": "size", "kind": "kind"},
    "kith_world": {
        "store": "store",
        "texts": "texts",
        "tick": "tick",
        "resources": "resources",
        "resource_count": "resource_count",
    },
    "ki_kept": {"type": "type", "values": "values"},
    "ki_store": {
        "error": "context.error",
        "memory": "context.heap.used",
        "heap": "context.heap",
        "heap_pointer": "columns.heap",
        "entities": "entities",
        "components": "components",
        "component_count": "component_count",
        "tables": "tables",
        "table_slots": "table_slots",
        "table_count": "table_count",
        "root": "root",
        "queries": "queries",
    },
    "ki_entities": {"records": "records", "slots": "slots", "empty": "empty"},
    "ki_record": {"generation": "generation", "table": "table", "row": "row"},
    "ki_column": {
        "blocks": "blocks",
        "capacity": "capacity",
        "size": "size",
        "mask": "mask",
        "shift": "shift",
    },
    "ki_block": {"data": "data"},
    "ki_table": {
        "id": "id",
        "ids": "ids",
        "count": "rows.count",
        "entities": "rows.entities",
        "columns": "rows.columns",
        "column_count": "rows.column_count",
    },
    "ki_component": {
        "type": "type",
        "id": "id",
        "layout": "layout",
        "hooks": "hooks",
        "sparse_index": "in.sparse.index",
        "sparse_values": "in.sparse.values",
        "sparse_entities": "in.sparse.rows.entities",
        "sparse_count": "in.sparse.rows.count",
        "slot_bits": "in.slots.bits",
        "slot_values": "in.slots.values",
        "slot_count": "in.slots.count",
    },
    "ki_texts": {"items": "items", "count": "count"},
    "ki_text": {"bytes": "bytes", "length": "length"},
    "kith_query": {
        "store": "store",
        "next": "next",
        "name": "name",
        "open_count": "open_count",
        "term_count": "term_count",
        "terms": "terms",
    },
    "ki_term": {
        "component": "component",
        "access": "access",
        "role": "role",
        "group": "group",
        "changed": "changed",
    },
    "kith_iter": {
        "count": "count",
        "dt": "dt",
        "result": "result",
        "cursor": "cursor",
        "serial": "serial",
        "first": "first",
    },
    "kith_cursor": {
        "serial": "token.serial",
        "query": "query",
        "driver_kind": "scan.driver.kind",
        "driver_term": "scan.driver.term",
        "driver_table": "scan.driver.table",
        "driver_one": "scan.driver.one",
        "row": "scan.row",
    },
}

ENUMS = ("kith_result", "kith_kind", "kith_layout", "kith_access", "kith_role", "ki_driver_kind")

# Classes of kith.hpp, without their template arguments, that hold something of C: in this member.
HOLDERS = {
    "kith::world": "c_",
    "kith::query": "c_",
    "kith::detail::held": "c_",
    "kith::batches": "it_",
    "kith::iter": "it_",
}


def holder(name):
    """The member of a class that holds something of C; None for other classes."""
    return HOLDERS.get(name.split("<")[0])


# A record's table from this number on says that nobody lives in the slot: KI_RETIRED_TABLE.
DEAD_TABLES = 0xFFFFFFFE

PAGE = 4096  # bytes that are read at once


class Trouble(Exception):
    """A sentence for the user: why something cannot be shown."""


class Unknown(Trouble):
    """The debug information does not say where a member is."""


class Memory:
    """The memory of the program, by structs."""

    def __init__(self, target):
        self.target = target
        self.places = {}
        self.enums = {}
        self.pages = {}

    def read(self, address, size):
        """The bytes at an address. What was read is kept, so a Memory serves one command."""
        page = address - address % PAGE
        if address + size > page + PAGE:
            return self.target.read(address, size)
        if page not in self.pages:
            try:
                self.pages[page] = self.target.read(page, PAGE)
            except Trouble:
                return self.target.read(address, size)
        return self.pages[page][address - page : address - page + size]

    def place(self, name, member):
        """(offset, size) of a member."""
        key = (name, member)
        if key not in self.places:
            path = MEMBERS[name][member]
            place = self.target.member(name, path)
            if place is None and self.target.size(name) is None:
                raise Unknown(
                    "the program has no debug information about struct %s: compile Kith with -g, "
                    "as CMAKE_BUILD_TYPE Debug and RelWithDebInfo do" % name
                )
            if place is None:
                raise Unknown(
                    "struct %s has no member %s: these printers are of another version of Kith"
                    % (name, path)
                )
            self.places[key] = place
        return self.places[key]

    def size(self, name):
        size = self.target.size(name)
        if size is None:
            self.place(name, next(iter(MEMBERS[name])))
        return size

    def enumerator(self, enum, value):
        """The name of a value; its number if it has none."""
        if enum not in self.enums:
            self.enums[enum] = self.target.enumerators(enum)
        return self.enums[enum].get(value, str(value))

    def unpack(self, data, signed=False):
        return int.from_bytes(data, self.target.byte_order, signed=signed)

    def real_format(self, size):
        order = "<" if self.target.byte_order == "little" else ">"
        return order + ("f" if size == 4 else "d")

    def unpack_real(self, data):
        return struct.unpack(self.real_format(len(data)), data)[0]

    def pack_real(self, text, size):
        """The bytes of a number; None if it is too large."""
        try:
            return struct.pack(self.real_format(size), float(text))
        except OverflowError:
            return None

    def number(self, address, size):
        return self.unpack(self.read(address, size))

    def numbers(self, address, count, size):
        """An array of numbers."""
        data = self.read(address, count * size) if count > 0 else b""
        return [self.unpack(data[i : i + size]) for i in range(0, count * size, size)]

    def string(self, address, most=4096):
        """The text at an address, which ends with a zero byte."""
        text = b""
        while len(text) < most:
            # Up to the next page's start, which may be the end of what can be read.
            part = self.read(address + len(text), 256 - (address + len(text)) % 256)
            if b"\0" in part:
                return text + part[: part.index(b"\0")]
            text += part
        return text

    def pointer_size(self):
        return self.place("kith_type", "name")[1]

    def check(self):
        """The first member that does not fit the program's structs, as a sentence; or None."""
        try:
            for name, members in MEMBERS.items():
                for member in members:
                    self.place(name, member)
            for enum in ENUMS:
                if not self.target.enumerators(enum):
                    return "the program has no enum %s" % enum
        except Trouble as trouble:
            return str(trouble)
        return None


class Struct:
    """A struct at an address; None, where a search for it ended, is Trouble."""

    def __init__(self, memory, name, address):
        if address is None:
            raise Trouble("there is no %s where one should be" % name)
        self.memory = memory
        self.name = name
        self.address = address

    def at(self, member):
        """The address of a member."""
        return self.address + self.memory.place(self.name, member)[0]

    def data(self, member):
        return self.memory.read(self.at(member), self.memory.place(self.name, member)[1])

    def number(self, member):
        """An unsigned number, a bool, an enum or a pointer."""
        return self.memory.unpack(self.data(member))

    def real(self, member):
        return self.memory.unpack_real(self.data(member))

    def inner(self, member, name):
        """A struct that is a member."""
        return Struct(self.memory, name, self.at(member))

    def follow(self, member, name):
        """The struct that a member points to; None for NULL."""
        address = self.number(member)
        return None if address == 0 else Struct(self.memory, name, address)

    def reach(self, member, name):
        """The same where there must be one."""
        found = self.follow(member, name)
        if found is None:
            raise Trouble("a %s has no %s where it should" % (self.name, name))
        return found

    def item(self, index):
        """The struct after so many others of an array that this one begins."""
        return Struct(self.memory, self.name, self.address + index * self.memory.size(self.name))

    def string(self, member):
        """The text that a member points to, as str; None for NULL."""
        address = self.number(member)
        return None if address == 0 else self.memory.string(address).decode("utf-8", "replace")


class Column:
    """A ki_column: where each row is."""

    def __init__(self, column):
        self.memory = column.memory
        self.capacity = column.number("capacity")
        self.size = column.number("size")
        self.mask = column.number("mask")
        self.shift = column.number("shift")
        self.blocks = column.follow("blocks", "ki_block")

    def row(self, row):
        """The address of a row; None if there is no such row. 0 for a value without bytes."""
        if self.size == 0:
            return 0
        if row >= self.capacity or self.blocks is None:
            return None
        data = self.blocks.item(row >> self.shift).number("data")
        return None if data == 0 else data + (row & self.mask) * self.size
