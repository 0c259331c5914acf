import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childNodesOfType,
  type Declaration,
  type DocumentedNode,
  documentedChildren,
  fieldNode,
  hasModifier,
  nodeName,
} from "./declaration.ts";
import { createTypeReader } from "./type-members.ts";

/** C#: public types and their public members, in any namespace. */
export function* cSharpDeclarations(root: Node): Generator<Declaration> {
  for (const part of documentedChildren(root, xmlDoc)) {
    const { node } = part;
    if (node.type === "namespace_declaration")
      yield* cSharpDeclarations(fieldNode(node, "body") ?? node);
    else if (node.type === "file_scoped_namespace_declaration") yield* cSharpDeclarations(node);
    else if (hasModifier(node, "public")) yield* typeOf(part, []);
  }
}

const xmlDoc = /^(\/\/\/|\/\*\*)/;

const endOf = (node: Node): Node | undefined =>
  fieldNode(node, "body") ?? fieldNode(node, "accessors") ?? fieldNode(node, "value");

const { typeOf } = createTypeReader({
  kinds: {
    class_declaration: "class",
    record_declaration: "class",
    record_struct_declaration: "struct",
    struct_declaration: "struct",
    interface_declaration: "interface",
    enum_declaration: "enum",
    delegate_declaration: "type",
  },
  docComment: xmlDoc,
  // The values of an enum are part of its signature.
  bodyOf: (node, kind) =>
    kind === "enum"
      ? undefined
      : (fieldNode(node, "body") ?? childNodesOfType(node, "declaration_list")[0]),
  endOf,
  otherMembers: othersIn,
});

function* othersIn(
  { node, documented }: DocumentedNode,
  owner: readonly string[],
): Generator<Declaration> {
  if (node.type === "property_declaration") {
    const path = [...owner, nodeName(node)];
    yield { path, kind: "property", node, end: endOf(node), documented };
  } else if (node.type === "field_declaration" || node.type === "event_field_declaration") {
    for (const list of childNodesOfType(node, "variable_declaration")) {
      for (const declarator of childNodesOfType(list, "variable_declarator")) {
        const name = fieldNode(declarator, "name");
        if (!name) continue;
        const value = name.nextNamedSibling;
        yield { path: [...owner, name.text], kind: "property", node, end: value, documented };
      }
    }
  }
}
