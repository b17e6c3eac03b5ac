# In gdb, for its Python: writes a C and a C++ program in which each expression of debug/kith.natvis is a statement
# about the struct that it is for, to be compiled.
# KITH_NATVIS is that file, and KITH_OUTPUT the directory for the programs.
import os
import re
import xml.etree.ElementTree as tree

NAMESPACE = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"
HOLDS_EXPRESSION = {
    "Item", "ExpandedItem", "Size", "ValuePointer", "ValueNode", "HeadPointer", "NextPointer",
}  # fmt: skip
HOLDS_NONE = {"Type", "Expand", "ArrayItems", "IndexListItems", "LinkedListItems", "Synthetic"}
SAMPLES = {"kith::query<*>": "kith::query<>"}


def expressions(element, struct):
    """(struct, text) of an element of a struct's, and of those in it."""
    name = element.tag.replace(NAMESPACE, "")
    if "Condition" in element.attrib:
        yield struct, element.attrib["Condition"]
    if name == "DisplayString":
        for text in re.findall(r"\{(.*?)\}", element.text):
            yield struct, text
    elif name in HOLDS_EXPRESSION:
        yield struct, element.text
    elif name not in HOLDS_NONE:
        raise RuntimeError("this test knows nothing of <%s>" % name)
    for child in element:
        yield from expressions(child, struct)
        if child.tag == NAMESPACE + "HeadPointer":  # those after it are about what it points to
            head = statement(child.text).replace("self", "((%s *)0)" % struct)
            struct = "__typeof__(*%s)" % re.search(r"\((?!void)(.*)\);", head).group(1)


def statement(text):
    """An expression, with what is a member of the struct made one of *self."""
    text = re.sub(r",(s|na|x)$", "", text.strip())
    text = re.sub(r"\bthis\b", "self", text.replace("$i", "INDEX"))
    casts = re.findall(r"\((\w+) \*\)", text)
    for name in set(re.findall(r"(?<![\w.>])([a-z_]\w*)", text)):
        if name != "self" and name not in casts:
            text = re.sub(r"(?<![\w.>])%s\b" % name, "self->" + name, text)
    return "    (void)(%s);\n" % text


def write(path, head, types, in_c):
    count = 0
    with open(path, "w", encoding="utf-8") as output:
        output.write(head + "enum { INDEX = 0 };\n")
        for type_ in types:
            name = type_.attrib["Name"]
            # By its tag: a debugger does not find a type by a typedef.
            struct_of = ("struct " if in_c else "") + SAMPLES.get(name, name)
            for struct, text in expressions(type_, struct_of):
                output.write("void natvis_%u(%s *self);\n" % (count, struct))
                output.write("void natvis_%u(%s *self)\n{\n%s}\n" % (count, struct, statement(text)))
                count += 1
    return count


root = tree.parse(os.environ["KITH_NATVIS"]).getroot()
types = list(root)
directory = os.environ["KITH_OUTPUT"]
types_in_c = [type_ for type_ in types if "::" not in type_.attrib["Name"]]
types_in_cpp = [type_ for type_ in types if "::" in type_.attrib["Name"]]
private = '#include "query/cursor.h"\n#include "world/world.h"\n'
counts = (
    write(directory + "/natvis.c", private, types_in_c, True),
    write(directory + "/natvis.cpp", "#include <kith/kith.hpp>\n", types_in_cpp, False),
)
with open(directory + "/counts", "w", encoding="utf-8") as output:
    output.write("%u expressions in C, %u in C++\n" % counts)
