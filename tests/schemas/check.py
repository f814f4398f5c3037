#!/usr/bin/env python3
"""check.py SCHEMA DOCUMENT... [SCHEMA DOCUMENT...]: is each document as the schema before it says? One
line per fault, exit code 1.

Knows the words that the schemas here use; where python3-jsonschema is installed, that looks too.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
WORDS = {"$schema", "$id", "title", "description", "type", "enum", "required", "properties",
         "additionalProperties", "items"}


def is_type(value, name):
    if name in ("number", "integer"):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and (name == "number" or value == int(value))
    return isinstance(value, TYPES[name])


def faults(value, schema, path):
    unknown = schema.keys() - WORDS
    if unknown:
        yield f"{path}: this checker does not know {', '.join(sorted(unknown))}"
    types = schema.get("type", []) # none: whatever "enum" lists
    types = types if isinstance(types, list) else [types]
    if types and not any(is_type(value, t) for t in types):
        yield f"{path}: {json.dumps(value)[:60]} is not of type {' or '.join(types)}"
        return
    if "enum" in schema and not isinstance(value, list) and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key in schema.get("required", []):
            if key not in value:
                yield f"{path}: {key!r} is missing"
        for key, item in value.items():
            if key in known:
                yield from faults(item, known[key], f"{path}.{key}")
            elif more is False:
                yield f"{path}: {key!r} is not described"
            elif more is not True:
                yield from faults(item, more, f"{path}.{key}")
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from faults(item, schema["items"], f"{path}[{i}]")


def refuse(word):
    raise ValueError(f"{word} is not JSON")


def once(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"a key stands twice among {[key for key, _ in pairs]}")
    return found


def main():
    bad, validator = False, None
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as f:
            document = json.load(f, parse_constant=refuse, object_pairs_hook=once)
        if name.endswith(".schema.json"):
            schema = document
            if jsonschema:
                jsonschema.Draft202012Validator.check_schema(schema)
                validator = jsonschema.Draft202012Validator(schema)
            continue
        found = list(faults(document, schema, "$"))
        found += [f"{e.json_path}: {e.message[:200]}" for e in validator.iter_errors(document)] if validator else []
        for fault in found:
            print(f"{name}: {fault}")
        bad = bad or bool(found)
    sys.exit(bad)


if __name__ == "__main__":
    main()
