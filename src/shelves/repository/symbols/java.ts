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

/** Java: public types and their public members. */
export function* javaDeclarations(root: Node): Generator<Declaration> {
  for (const part of documentedChildren(root, javadoc)) {
    if (hasModifier(part.node, "public")) yield* typeOf(part, []);
  }
}

const javadoc = /^\/\*\*/;

const bodyOf = (node: Node): Node | undefined => fieldNode(node, "body");

const { typeOf, membersIn } = createTypeReader({
  kinds: {
    class_declaration: "class",
    record_declaration: "class",
    interface_declaration: "interface",
    annotation_type_declaration: "interface",
    enum_declaration: "enum",
  },
  docComment: javadoc,
  bodyOf,
  endOf: bodyOf,
  otherMembers: othersIn,
});

function* othersIn(
  { node, documented }: DocumentedNode,
  owner: readonly string[],
): Generator<Declaration> {
  if (node.type === "enum_body_declarations") yield* membersIn(node, owner, "enum");
  else if (node.type === "enum_constant") {
    yield { path: [...owner, nodeName(node)], kind: "property", node, documented };
  } else if (node.type === "field_declaration" || node.type === "constant_declaration") {
    for (const declarator of childNodesOfType(node, "variable_declarator")) {
      const path = [...owner, nodeName(declarator)];
      yield { path, kind: "property", node, end: fieldNode(declarator, "value"), documented };
    }
  }
}
