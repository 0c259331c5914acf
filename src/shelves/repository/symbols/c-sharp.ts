import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childrenOfType,
  type Declaration,
  field,
  hasWord,
  nameOf,
  type Part,
  partsOf,
} from "./declaration.ts";
import type { SymbolKind } from "./symbol.ts";

/** C#: public types and their public members, in whatever namespace. */
export function* cSharpDeclarations(root: Node): Generator<Declaration> {
  for (const part of partsOf(root, xmlDoc)) {
    const { node } = part;
    if (node.type === "namespace_declaration")
      yield* cSharpDeclarations(field(node, "body") ?? node);
    else if (node.type === "file_scoped_namespace_declaration") yield* cSharpDeclarations(node);
    else if (hasWord(node, "public")) yield* typeOf(part, []);
  }
}

const xmlDoc = /^(\/\/\/|\/\*\*)/;

const kinds: Readonly<Record<string, SymbolKind>> = {
  class_declaration: "class",
  record_declaration: "class",
  record_struct_declaration: "struct",
  struct_declaration: "struct",
  interface_declaration: "interface",
  enum_declaration: "enum",
  delegate_declaration: "type",
};

function* typeOf({ node, documented }: Part, above: readonly string[]): Generator<Declaration> {
  const kind = kinds[node.type];
  if (!kind) return;
  const path = [...above, nameOf(node)];
  const body = field(node, "body") ?? childrenOfType(node, "declaration_list")[0];
  yield { path, kind, node, end: kind === "enum" ? undefined : body, documented };
  if (!body || kind === "enum") return;
  for (const part of partsOf(body, xmlDoc)) {
    if (kind === "interface" ? hasWord(part.node, "private") : !hasWord(part.node, "public"))
      continue;
    yield* memberOf(part, path);
  }
}

function* memberOf(part: Part, above: readonly string[]): Generator<Declaration> {
  const { node, documented } = part;
  const path = [...above, nameOf(node)];
  const end = field(node, "body") ?? field(node, "accessors") ?? field(node, "value");
  switch (node.type) {
    case "method_declaration":
      yield { path, kind: "method", node, end, documented };
      return;
    case "constructor_declaration":
      yield { path: above, kind: "class", node, end, documented };
      return;
    case "property_declaration":
      yield { path, kind: "property", node, end, documented };
      return;
    case "field_declaration":
    case "event_field_declaration":
      for (const list of childrenOfType(node, "variable_declaration")) {
        for (const one of childrenOfType(list, "variable_declarator")) {
          const name = field(one, "name");
          if (!name) continue;
          const value = name.nextNamedSibling;
          yield { path: [...above, name.text], kind: "property", node, end: value, documented };
        }
      }
      return;
    default:
      yield* typeOf(part, above);
  }
}
