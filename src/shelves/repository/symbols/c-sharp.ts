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
import { publicTypes } from "./type-members.ts";

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

const endOf = (node: Node): Node | undefined =>
  field(node, "body") ?? field(node, "accessors") ?? field(node, "value");

const { typeOf } = publicTypes({
  kinds: {
    class_declaration: "class",
    record_declaration: "class",
    record_struct_declaration: "struct",
    struct_declaration: "struct",
    interface_declaration: "interface",
    enum_declaration: "enum",
    delegate_declaration: "type",
  },
  isForUsers: xmlDoc,
  // The values of an enumeration are a part of its signature.
  bodyOf: (node, kind) =>
    kind === "enum"
      ? undefined
      : (field(node, "body") ?? childrenOfType(node, "declaration_list")[0]),
  endOf,
  othersIn,
});

function* othersIn({ node, documented }: Part, above: readonly string[]): Generator<Declaration> {
  if (node.type === "property_declaration") {
    const path = [...above, nameOf(node)];
    yield { path, kind: "property", node, end: endOf(node), documented };
  } else if (node.type === "field_declaration" || node.type === "event_field_declaration") {
    for (const list of childrenOfType(node, "variable_declaration")) {
      for (const one of childrenOfType(list, "variable_declarator")) {
        const name = field(one, "name");
        if (!name) continue;
        const value = name.nextNamedSibling;
        yield { path: [...above, name.text], kind: "property", node, end: value, documented };
      }
    }
  }
}
