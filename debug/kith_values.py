"""Values as text, written as kith_print_value and kith_print_entity do."""

import re

from kith_layout import Struct, Trouble

# Items of an array that are shown.
ITEMS_MAX = 32

# The size of one value of each kind.
SIZES = {
    "KITH_BYTES": 1,
    "KITH_BOOL": 1,
    "KITH_CHAR": 1,
    "KITH_I8": 1,
    "KITH_U8": 1,
    "KITH_I16": 2,
    "KITH_U16": 2,
    "KITH_I32": 4,
    "KITH_U32": 4,
    "KITH_I64": 8,
    "KITH_U64": 8,
    "KITH_F32": 4,
    "KITH_F64": 8,
    "KITH_ENTITY": 8,
    "KITH_TEXT": 4,
}

ESCAPES = {"\n": "\\n", "\t": "\\t", "\0": "\\0", "\\": "\\\\"}


def quoted(data, quote='"'):
    """Bytes as text in quotes."""
    text = ""
    for character in data.decode("utf-8", "surrogateescape"):
        code = ord(character)
        if character in ESCAPES:
            text += ESCAPES[character]
        elif character == quote:
            text += "\\" + quote
        elif 0xDC80 <= code <= 0xDCFF:
            text += "\\x%02x" % (code - 0xDC00)
        elif code < 0x20 or code == 0x7F:
            text += "\\x%02x" % code
        else:
            text += character
    return quote + text + quote


def real(memory, data):
    """The shortest number that reads back as the same bits."""
    value = memory.unpack_real(data)
    if value != value:
        bits = memory.unpack(data)
        canonical = bits == (0x7FC00000 if len(data) == 4 else 0x7FF8000000000000)
        return "nan" if canonical else "nan(0x%0*x)" % (2 * len(data), bits)
    if abs(value) < 1e20 and value == int(value):
        return "%.0f" % value
    digits = 1
    while memory.pack_real("%.*g" % (digits, value), len(data)) != data:
        digits += 1
    return "%.*g" % (digits, value)


def entity(index1, generation):
    """A handle, as kith_entity_to_text writes it."""
    if index1 == 0:
        return "Entity(null)" if generation == 0 else "Entity(~%u)" % generation
    return "Entity(%uv%u)" % (index1 - 1, generation)


def text_of(world, number):
    """An interned text."""
    data = None if world is None else world.text(number)
    return "unknown text %u" % number if data is None else quoted(data)


def one(memory, world, kind, data):
    """One value of a kind."""
    if kind == "KITH_BOOL":
        return "true" if data != b"\0" else "false"
    if kind == "KITH_CHAR":
        return quoted(data, "'")
    if kind == "KITH_TEXT":
        return text_of(world, memory.unpack(data))
    if kind == "KITH_ENTITY":
        return entity(memory.unpack(data[:4]), memory.unpack(data[4:]))
    if kind in ("KITH_F32", "KITH_F64"):
        return real(memory, data)
    return str(memory.unpack(data, signed=kind.startswith("KITH_I")))


def field(memory, world, kind, data):
    """A field: one value, or an array."""
    size = SIZES[kind]
    if len(data) == size:
        return one(memory, world, kind, data)
    if kind == "KITH_CHAR":
        return quoted(data.rstrip(b"\0"))
    count = len(data) // size
    items = [
        one(memory, world, kind, data[i * size : (i + 1) * size])
        for i in range(min(count, ITEMS_MAX))
    ]
    if count > ITEMS_MAX:
        items.append("and %u more" % (count - ITEMS_MAX))
    return "[%s]" % ", ".join(items)


def value(memory, world, type_, address):
    """A value of a type. Of opaque fields, which Kith does not print, it tells the address."""
    fields = []
    for described in type_.fields:
        kind = memory.enumerator("kith_kind", described.number("kind"))
        place = address + described.number("offset")
        size = described.number("size")
        if kind == "KITH_PADDING":
            continue
        name = described.string("name") or "(unnamed)"
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.:\[\]]*", name):
            name = quoted(name.encode())
        if kind == "KITH_OPAQUE":
            text = "<%u opaque bytes at 0x%x>" % (size, place)
        elif kind in SIZES and size > 0 and size <= type_.size:
            text = field(memory, world, kind, memory.read(place, size))
        else:
            raise Trouble("field %s of type %s is broken" % (name, type_.name))
        fields.append("%s = %s" % (name, text))
    return "{ %s }" % ", ".join(fields) if fields else "{ }"


def handle_at(memory, address):
    """(index1, generation) of the kith_entity at an address."""
    handle = Struct(memory, "kith_entity", address)
    return handle.number("index1"), handle.number("generation")
