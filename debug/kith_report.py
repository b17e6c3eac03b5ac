"""What the printers show and what the command "kith" says, as text.

A debugger gives a session, an object with:

    memory                 a Memory
    chosen()               the world that the user chose, as Found; or None
    choose(address)        makes a world the chosen one; None: no more
    evaluate(expression)   Found; Trouble if it cannot be evaluated
    frames()               for each frame from the selected one outwards, and then for what is
                           global, the variables that may lead to a world, each as Found
"""

import re
from collections import namedtuple

import kith_values
from kith_layout import Trouble, Unknown
from kith_reader import Iterator, World, query_at

# A struct that an expression or a variable is, or points to: its name; its address, or None if it
# is not in memory; its bytes, or None if they are unknown.
Found = namedtuple("Found", "name address data")

ENTITIES_MAX = 20  # shown of a list
SLOTS_MAX = 50000  # asked whether they match

HELP = """kith world [EXPRESSION]  the world, or makes EXPRESSION the world from now on; "any" undoes it
kith entity ENTITY       an entity with its components; ENTITY is an expression, or as printed: 2v1
kith entities [COUNT]    the entities that live
kith tables              the tables, with their rows
kith types               the types of components, with their layouts and how many entities have them
kith query EXPRESSION    a query: its terms, and the entities that match
kith queries             all queries
kith resources           the values that belong to the world
kith check               whether these printers fit the program's Kith"""

ROLES = {
    "KITH_MUST": "must",
    "KITH_MUST_NOT": "must not",
    "KITH_MAY": "may",
    "KITH_ONE_OF": "one of",
}
ACCESSES = {"KITH_ACCESS_READ": "read", "KITH_ACCESS_WRITE": "write"}
LAYOUTS = {"KITH_TABLE": "table", "KITH_SPARSE": "sparse", "KITH_SLOT": "slot"}


def plural(count, noun, nouns=None):
    return "%u %s" % (count, noun if count == 1 else nouns or noun + "s")


def columns(rows):
    """Rows of texts, aligned; numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if cell.isdigit() else cell.ljust(width)
            for cell, width in zip(row, widths)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


# ---- The world


def world_of(session, found):
    """The world that a variable leads to."""
    memory = session.memory
    if found.name == "kith_query":
        return query_at(memory, found.address).world
    if found.name == "kith_iter":
        query = Iterator(memory, found.address).query
        if query is None:
            raise Trouble("the iterator is closed")
        return query.world
    if found.name != "kith_world":
        raise Trouble("the type %s leads to no world" % found.name)
    return World(memory, found.address)


def find_world(session):
    """The world that was chosen, or the only one of the nearest frame that knows any."""
    chosen = session.chosen()
    if chosen is not None:
        return world_of(session, chosen)
    trouble = None
    for variables in session.frames():
        worlds = {}
        for found in variables:
            try:
                world = world_of(session, found)
                worlds[world.struct.address] = world
            except Unknown:
                raise
            except Trouble as reason:
                if found.name == "kith_world":
                    trouble = trouble or reason
        if len(worlds) > 1:
            raise Trouble('there are several worlds; choose one: "kith world EXPRESSION"')
        for world in worlds.values():
            return world
    raise trouble or Trouble('no variable leads to a world; name it: "kith world EXPRESSION"')


def known_world(session):
    """The same; None if there is none."""
    try:
        return find_world(session)
    except Trouble:
        return None


def world_line(world):
    store = world.store
    return "world with %s, %s of components, %s, %s; tick %u" % (
        plural(world.alive, "entity", "entities"),
        plural(store.number("component_count"), "type"),
        plural(store.number("table_count"), "table"),
        plural(len(world.queries()), "query", "queries"),
        world.struct.number("tick"),
    )


def world_text(world):
    lines = [world_line(world), plural(world.store.number("memory"), "byte") + " in use"]
    error = world.memory.string(world.store.at("error"), 512)
    if error:
        lines.append("last error: " + error.decode("utf-8", "replace"))
    return "\n".join(lines)


# ---- Entities


def entity_state(world, index1, generation):
    """What is to be said after a handle; None if the entity lives."""
    if index1 == 0:
        return "" if generation == 0 else " that a command buffer is to make"
    if world is None:
        return " of an unknown world"
    if world.is_alive(index1, generation):
        return None
    record = world.record(index1 - 1)
    if record is None or record.number("generation") < generation:
        return " never lived in this world"
    return " dead"


def entity_line(session, index1, generation):
    text = kith_values.entity(index1, generation)
    world = known_world(session) if index1 != 0 else None
    state = entity_state(world, index1, generation)
    if state is not None:
        return text + state
    names = [component.name for component, _ in world.values(index1 - 1)]
    return "%s alive { %s }" % (text, ", ".join(names)) if names else text + " alive { }"


def component_line(world, component, address):
    layout = LAYOUTS.get(component.layout, component.layout)
    if component.type.size == 0:
        return "  %s    (%s)" % (component.name, layout)
    return "  %s %s    (%s%s, at 0x%x)" % (
        component.name,
        kith_values.value(world.memory, world, component.type, address),
        layout,
        ", with hooks" if component.hooked else "",
        address,
    )


def entity_text(world, index1, generation):
    text = kith_values.entity(index1, generation)
    state = entity_state(world, index1, generation)
    if state is not None:
        return text + state
    record = world.record(index1 - 1)
    lines = [
        "%s alive, in table %u, row %u" % (text, record.number("table"), record.number("row"))
    ]
    for component, address in world.values(index1 - 1):
        lines.append(component_line(world, component, address))
    return "\n".join(lines)


def find_entity(session, world, words):
    """The handle that a user means: 2v1, Entity(2v1), the slot 2, or an expression."""
    handle = re.fullmatch(r"(?:Entity\()?(\d+)(?:v(\d+))?\)?", words)
    if handle is None:
        found = session.evaluate(words)
        if found.name != "kith_entity":
            raise Trouble("'%s' has the type %s, not kith_entity" % (words, found.name))
        if found.data is None:
            raise Trouble("the value of '%s' is not known here" % words)
        memory = session.memory
        size = memory.place("kith_entity", "index1")[1]
        return memory.unpack(found.data[:size]), memory.unpack(found.data[size:])
    slot = int(handle.group(1))
    if handle.group(2) is not None:
        return slot + 1, int(handle.group(2))
    generation = world.generation(slot)
    if generation is None:
        raise Trouble("no entity lives in slot %u" % slot)
    return slot + 1, generation


def entities_text(world, most):
    lines = [plural(world.alive, "entity", "entities")]
    for index in range(world.slots):
        generation = world.generation(index)
        if generation is not None and len(lines) > most:
            lines.append("  ...")
            break
        if generation is not None:
            names = ", ".join(component.name for component, _ in world.values(index))
            lines.append(("  %s %s" % (kith_values.entity(index + 1, generation), names)).rstrip())
    return "\n".join(lines)


# ---- Tables and types


def tables_text(world):
    rows = [("table", "rows", "components")]
    for table in world.all_tables():
        names = ", ".join(sorted(world.component(number).name for number in table.ids))
        rows.append((str(table.id), str(table.count), names or "(none)"))
    return columns(rows)


def types_text(world):
    tables = world.all_tables()
    rows = [("id", "type", "bytes", "layout", "entities", "")]
    for component in world.components():
        rows.append(
            (
                str(component.id),
                component.name,
                str(component.type.size),
                LAYOUTS.get(component.layout, component.layout),
                str(component.count(tables)),
                "hooks" if component.hooked else "",
            )
        )
    return columns(rows) if len(rows) > 1 else "no types are registered"


def resources_text(world):
    lines = []
    for type_, address in world.resources():
        if address is None:
            raise Trouble("the resource %s has no value" % type_.name)
        value = kith_values.value(world.memory, world, type_, address)
        lines.append("%s %s    (at 0x%x)" % (type_.name, value, address))
    return "\n".join(lines) if lines else "there are no resources"


# ---- Queries and iterators


def query_name(query):
    return "unnamed query" if query.name is None else 'query "%s"' % query.name


def term_words(term):
    """What a term asks for: ["write", "may"]."""
    words = [ACCESSES[term.access]] if term.access in ACCESSES else []
    if term.role != "KITH_MUST" or not words:
        words.append(ROLES.get(term.role, term.role))
    if term.group is not None:
        words[-1] += " group %u" % term.group
    if term.changed:
        words.append("changed")
    return words


def query_line(query):
    terms = ["%s: %s" % (term.name, ", ".join(term_words(term))) for term in query.terms]
    opened = ", open" if query.open_count > 0 else ""
    return "%s%s { %s }" % (query_name(query), opened, "; ".join(terms))


def query_text(query):
    world = query.world
    slots, looked = query.matching(SLOTS_MAX)
    lines = [query_line(query)]
    text = plural(len(slots), "entity", "entities") + (" match" if len(slots) != 1 else " matches")
    if any(term.changed for term in query.terms):
        text += ", changed or not"
    if looked < world.slots:
        text += " among the first %u slots of %u" % (looked, world.slots)
    lines.append(text + (":" if slots else ""))
    for index in slots[:ENTITIES_MAX]:
        lines.append("  " + kith_values.entity(index + 1, world.generation(index)))
    if len(slots) > ENTITIES_MAX:
        lines.append("  ...")
    return "\n".join(lines)


def iterator_line(iterator):
    result = "" if iterator.result == "KITH_OK" else ", " + iterator.result
    if iterator.query is None:
        return "iterator that is closed" + result
    name = query_name(iterator.query)
    if not iterator.is_current():
        return "iterator of the %s that is void: a copy of it has moved on" % name
    if iterator.count == 0:
        return "iterator of the %s before its first batch%s" % (name, result)
    entities = [kith_values.entity(*handle) for handle in iterator.entities(ENTITIES_MAX)]
    return "iterator of the %s, dt %g%s, with a batch of %s: %s%s" % (
        name,
        iterator.dt,
        result,
        plural(iterator.count, "entity", "entities"),
        ", ".join(entities),
        ", ..." if iterator.count > ENTITIES_MAX else "",
    )


# ---- What the printers show: a line for the bytes of each struct that has a printer


def print_entity(session, found):
    size = session.memory.place("kith_entity", "index1")[1]
    return entity_line(
        session,
        session.memory.unpack(found.data[:size]),
        session.memory.unpack(found.data[size:]),
    )


def print_text(session, found):
    number = session.memory.unpack(found.data)
    world = known_world(session)
    if world is None and number != 0:
        return "text %u of an unknown world" % number
    return kith_values.text_of(world, number) if number != 0 else '""'


PRINTERS = {
    "kith_entity": print_entity,
    "kith_text": print_text,
    "kith_world": lambda session, found: world_line(World(session.memory, found.address)),
    "kith_query": lambda session, found: query_line(query_at(session.memory, found.address)),
    "kith_iter": lambda session, found: iterator_line(Iterator(session.memory, found.address)),
}


def show(session, found):
    """The line for a struct that PRINTERS has."""
    try:
        if found.address is None and found.data is None:
            return "a %s that is not in memory" % found.name
        return PRINTERS[found.name](session, found)
    except Trouble as trouble:
        return "<%s>" % trouble


# ---- The command


def command_world(session, words):
    if words == "any":
        session.choose(None)
    elif words:
        world = world_of(session, session.evaluate(words))
        session.choose(world.struct.address)
    return world_text(find_world(session))


def command_entity(session, words):
    if not words:
        raise Trouble("which entity? kith entity EXPRESSION, or kith entity 2v1")
    world = find_world(session)
    return entity_text(world, *find_entity(session, world, words))


def command_entities(session, words):
    if words and not words.isdigit():
        raise Trouble("how many entities? '%s' is not a number" % words)
    return entities_text(find_world(session), int(words or ENTITIES_MAX))


def command_query(session, words):
    if not words:
        raise Trouble("which query? kith query EXPRESSION")
    found = session.evaluate(words)
    if found.name == "kith_iter":
        query = Iterator(session.memory, found.address).query
        if query is None:
            raise Trouble("the iterator is closed")
        return query_text(query)
    if found.name != "kith_query":
        raise Trouble("'%s' has the type %s, not kith_query" % (words, found.name))
    return query_text(query_at(session.memory, found.address))


def command_queries(session, words):
    lines = [query_line(query) for query in find_world(session).queries()]
    return "\n".join(lines) if lines else "there are no queries"


def command_check(session, words):
    wrong = session.memory.check()
    if wrong is not None:
        raise Trouble(wrong)
    return "the printers fit the program"


COMMANDS = {
    "world": command_world,
    "entity": command_entity,
    "entities": command_entities,
    "tables": lambda session, words: tables_text(find_world(session)),
    "types": lambda session, words: types_text(find_world(session)),
    "query": command_query,
    "queries": command_queries,
    "resources": lambda session, words: resources_text(find_world(session)),
    "check": command_check,
}


def run(session, line):
    """What the command "kith" answers to the rest of its line; Trouble if it cannot."""
    words = line.split(None, 1)
    if not words or words[0] == "help":
        return HELP
    if words[0] not in COMMANDS:
        raise Trouble("kith has no command '%s'\n%s" % (words[0], HELP))
    return COMMANDS[words[0]](session, words[1].strip() if len(words) > 1 else "")
