"""What is in a world: its entities, components, tables, texts and queries, read from memory.

Whatever a broken program may have left there, a number that comes from memory is compared with a
limit before it is believed, and what cannot be read is Trouble, with a sentence for the user.
"""

from kith_layout import DEAD_TABLES, Column, Struct, Trouble, Unknown

# More than a world can have, so that a loop over garbage ends.
COMPONENTS_MAX = 65535
TABLES_MAX = 1 << 24
TERMS_MAX = 65536
QUERIES_MAX = 1 << 20
TEXT_MAX = 4096  # bytes of an interned text that are shown
FIELDS_MAX = 4096


class Type:
    """A kith_type: a name, and fields as Structs."""

    def __init__(self, type_):
        self.name = type_.string("name") or "(unnamed)"
        self.size = type_.number("size")
        count = type_.number("field_count")
        first = type_.reach("fields", "kith_field") if count > 0 else None
        if count > FIELDS_MAX:
            raise Trouble("the type at 0x%x is broken" % type_.address)
        self.fields = [first.item(i) for i in range(count)]


class Component:
    def __init__(self, component):
        self.struct = component
        self.type = Type(component.reach("type", "kith_type"))
        self.name = self.type.name
        self.id = component.number("id")
        self.layout = component.memory.enumerator("kith_layout", component.number("layout"))
        self.hooked = component.number("hooks") != 0
        self.columns = {}

    def column(self, member):
        if member not in self.columns:
            self.columns[member] = Column(self.struct.inner(member, "ki_column"))
        return self.columns[member]

    def locate(self, index, table, row):
        """The address of a slot's value, 0 for a tag; None if it is absent."""
        if self.layout == "KITH_TABLE":
            column = table.column(self.id)
            return None if column is None else column.row(row)
        memory = self.struct.memory
        if self.layout == "KITH_SPARSE":
            place = self.column("sparse_index").row(index)
            row1 = 0 if place is None else memory.number(place, 4)
            return None if row1 == 0 else self.column("sparse_values").row(row1 - 1)
        place = self.column("slot_bits").row(index // 64)
        word = 0 if place is None else memory.number(place, 8)
        return self.column("slot_values").row(index) if word >> index % 64 & 1 else None

    def count(self, tables):
        """How many entities have it."""
        if self.layout == "KITH_TABLE":
            return sum(table.count for table in tables if self.id in table.ids)
        return self.struct.number("sparse_count" if self.layout == "KITH_SPARSE" else "slot_count")


class Table:
    def __init__(self, table):
        self.struct = table
        self.id = table.number("id")
        self.count = table.number("count")
        columns = table.number("column_count")
        if columns > COMPONENTS_MAX:
            raise Trouble("table %u at 0x%x is broken" % (self.id, table.address))
        self.ids = table.memory.numbers(table.number("ids"), columns, 4)

    def column(self, component_id):
        if component_id not in self.ids:
            return None
        first = self.struct.reach("columns", "ki_column")
        return Column(first.item(self.ids.index(component_id)))


class World:
    """A world that looks alive; Trouble if it does not."""

    def __init__(self, memory, address):
        if address == 0:
            raise Trouble("the world is NULL")
        self.memory = memory
        self.struct = Struct(memory, "kith_world", address)
        self.store = self.struct.inner("store", "ki_store")
        if not self.is_made():
            raise Trouble(
                "there is no living world at 0x%x: it is not made yet, or was freed" % address
            )
        entities = self.store.inner("entities", "ki_entities")
        self.slots = entities.number("slots")
        self.alive = self.slots - entities.number("empty")
        self.records = Column(entities.inner("records", "ki_column"))
        if not 0 <= self.alive <= self.slots <= self.records.capacity:
            raise Trouble("the world at 0x%x is broken" % address)
        self.places = None
        self.tables = {}
        self.known = None

    def is_made(self):
        """Whether what is true of each world from its making to its end is true here."""
        store = self.store
        try:
            root = store.follow("root", "ki_table")
            return (
                store.number("heap_pointer") == store.at("heap")
                and root is not None
                and root.number("id") == 0
                and self.memory.number(store.number("tables"), self.memory.pointer_size())
                == root.address
            )
        except Unknown:
            raise
        except Trouble:
            return False

    # ---- Components and tables

    def components(self):
        """All components, by id - 1."""
        if self.known is None:
            count = self.store.number("component_count")
            if count > COMPONENTS_MAX:
                raise Trouble("the world at 0x%x is broken" % self.struct.address)
            places = self.memory.numbers(
                self.store.number("components"), count, self.memory.pointer_size()
            )
            self.known = [
                Component(Struct(self.memory, "ki_component", place)) for place in places
            ]
        return self.known

    def component(self, component_id):
        if not 1 <= component_id <= len(self.components()):
            raise Trouble("there is no component %u" % component_id)
        return self.components()[component_id - 1]

    def table_places(self):
        """The addresses of all tables, by id; 0 where there is none."""
        if self.places is None:
            slots = self.store.number("table_slots")
            if slots > TABLES_MAX:
                raise Trouble("the world at 0x%x is broken" % self.struct.address)
            size = self.memory.pointer_size()
            self.places = self.memory.numbers(self.store.number("tables"), slots, size)
        return self.places

    def table(self, number):
        """A table by its id; None if there is none."""
        if number not in self.tables:
            places = self.table_places()
            place = places[number] if number < len(places) else 0
            self.tables[number] = (
                None if place == 0 else Table(Struct(self.memory, "ki_table", place))
            )
        return self.tables[number]

    def all_tables(self):
        tables = [self.table(number) for number in range(len(self.table_places()))]
        return [table for table in tables if table is not None]

    # ---- Entities

    def record(self, index):
        """The record of a slot; None if the world has no such slot."""
        place = self.records.row(index) if index < self.slots else None
        return None if place is None else Struct(self.memory, "ki_record", place)

    def generation(self, index):
        """That of the entity that lives in a slot; None if none does."""
        record = self.record(index)
        if record is None or record.number("table") >= DEAD_TABLES:
            return None
        return record.number("generation")

    def is_alive(self, index1, generation):
        return index1 != 0 and self.generation(index1 - 1) == generation

    def values(self, index):
        """(component, address) for all that a living entity has, in the order of the ids."""
        record = self.record(index)
        row = record.number("row")
        table = self.table(record.number("table"))
        if table is None:
            raise Trouble("slot %u is in a table that does not exist" % index)
        found = []
        for component in self.components():
            address = component.locate(index, table, row)
            if address is not None:
                found.append((component, address))
        return found

    # ---- Resources and texts

    def resources(self):
        """(type, address) of each, in order of names."""
        count = self.struct.number("resource_count")
        if count > COMPONENTS_MAX:
            raise Trouble("the world at 0x%x is broken" % self.struct.address)
        places = self.memory.numbers(
            self.struct.number("resources"), count, self.memory.pointer_size()
        )
        found = []
        for place in places:
            kept = Struct(self.memory, "ki_kept", place)
            address = Column(kept.inner("values", "ki_column")).row(0)
            found.append((Type(kept.reach("type", "kith_type")), address))
        return found

    def text(self, number):
        """The bytes of an interned text; None if there is no such text."""
        if number == 0:
            return b""
        texts = self.struct.follow("texts", "ki_texts")
        if texts is None or number > texts.number("count"):
            return None
        place = Column(texts.inner("items", "ki_column")).row(number - 1)
        if place is None:
            return None
        text = Struct(self.memory, "ki_text", place)
        return self.memory.read(text.number("bytes"), min(text.number("length"), TEXT_MAX))

    # ---- Queries

    def query_places(self):
        """The addresses of all queries, the newest first."""
        query = self.store.follow("queries", "kith_query")
        places = {}  # in order
        while query is not None:
            if query.address in places or len(places) == QUERIES_MAX:
                raise Trouble("the list of queries is broken")
            places[query.address] = None
            query = query.follow("next", "kith_query")
        return list(places)

    def queries(self):
        return [Query(self, place) for place in self.query_places()]


class Term:
    def __init__(self, term):
        component = term.reach("component", "ki_component")
        self.id = component.number("id")
        self.name = Type(component.reach("type", "kith_type")).name
        self.layout = term.memory.enumerator("kith_layout", component.number("layout"))
        self.access = term.memory.enumerator("kith_access", term.number("access"))
        self.role = term.memory.enumerator("kith_role", term.number("role"))
        self.changed = term.number("changed") != 0
        self.group = term.number("group") if self.role == "KITH_ONE_OF" else None

    def admits(self, has):
        """Whether an entity that has the component, or has it not, may match; of no group."""
        if self.role == "KITH_MUST":
            return has
        return not has if self.role == "KITH_MUST_NOT" else True


def query_at(memory, address):
    """The query at an address that the program names: one that a living world has in its list."""
    if address == 0:
        raise Trouble("the query is NULL")
    try:
        store = Struct(memory, "kith_query", address).number("store")
        world = World(memory, store - memory.place("kith_world", "store")[0])
        if address in world.query_places():
            return Query(world, address)
    except Unknown:
        raise
    except Trouble:
        pass
    raise Trouble("there is no query at 0x%x: it is not made yet, or was freed" % address)


class Query:
    """A query of a world."""

    def __init__(self, world, address):
        self.world = world
        self.struct = Struct(world.memory, "kith_query", address)
        self.name = self.struct.string("name")
        self.open_count = self.struct.number("open_count")
        count = self.struct.number("term_count")
        if count > TERMS_MAX:
            raise Trouble("the query at 0x%x is broken" % address)
        first = self.struct.inner("terms", "ki_term")
        self.terms = [Term(first.item(i)) for i in range(count)]

    def matches(self, present):
        """Whether an entity that has the components with these ids matches, changed or not."""
        groups = {}
        for term in self.terms:
            has = term.id in present
            if not term.admits(has):
                return False
            if term.group is not None:
                groups[term.group] = groups.get(term.group, False) or has
        return all(groups.values())

    def matching(self, most):
        """(slots that match among the first `most`, how many slots were looked at)."""
        looked = min(self.world.slots, most)
        found = []
        asked = [self.world.component(term.id) for term in self.terms]
        for index in range(looked):
            record = self.world.record(index)
            table = record and self.world.table(record.number("table"))
            if table:
                row = record.number("row")
                present = {c.id for c in asked if c.locate(index, table, row) is not None}
                if self.matches(present):
                    found.append(index)
        return found, looked


class Iterator:
    """A kith_iter; `query` is None if it is closed."""

    def __init__(self, memory, address):
        self.struct = Struct(memory, "kith_iter", address)
        self.count = self.struct.number("count")
        self.dt = self.struct.real("dt")
        self.result = memory.enumerator("kith_result", self.struct.number("result"))
        self.cursor = self.struct.follow("cursor", "kith_cursor")
        self.query = None
        if self.cursor is not None:
            self.query = query_at(memory, self.cursor.number("query"))

    def is_current(self):
        """Whether no copy of it has moved on instead."""
        return self.cursor.number("serial") == self.struct.number("serial")

    def entities(self, most):
        """(index1, generation) of the entities in the batch, `most` at most."""
        world = self.query.world
        memory = world.memory
        kind = memory.enumerator("ki_driver_kind", self.cursor.number("driver_kind"))
        first = self.cursor.number("row") + self.struct.number("first")
        rows = range(first, first + min(self.count, most))
        if kind == "KI_DRIVE_SLOTS":
            living = [(row + 1, world.generation(row)) for row in rows]
            return [entity for entity in living if entity[1] is not None]
        if kind == "KI_DRIVE_ONE":
            places = [self.cursor.at("driver_one")]
        else:
            if kind == "KI_DRIVE_TABLES":
                column = self.cursor.reach("driver_table", "ki_table")
                column = column.inner("entities", "ki_column")
            else:
                number = self.cursor.number("driver_term")
                if number >= len(self.query.terms):
                    raise Trouble("the iterator's cursor is broken")
                component = world.component(self.query.terms[number].id).struct
                column = component.inner("sparse_entities", "ki_column")
            places = [Column(column).row(row) for row in rows]
        entities = [Struct(memory, "kith_entity", place) for place in places]
        return [(entity.number("index1"), entity.number("generation")) for entity in entities]
