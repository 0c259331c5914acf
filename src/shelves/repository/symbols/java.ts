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

/** Java: public types and their public members. */
export function* javaDeclarations(root: Node): Generator<Declaration> {
  for (const part of partsOf(root, javadoc)) {
    if (hasWord(part.node, "public")) yield* typeOf(part, []);
  }
}

const javadoc = /^\/\*\*/;

const bodyOf = (node: Node): Node | undefined => field(node, "body");

const { typeOf, membersIn } = publicTypes({
  kinds: {
    class_declaration: "class",
    record_declaration: "class",
    interface_declaration: "interface",
    annotation_type_declaration: "interface",
    enum_declaration: "enum",
  },
  isForUsers: javadoc,
  bodyOf,
  endOf: bodyOf,
  othersIn,
});

function* othersIn({ node, documented }: Part, above: readonly string[]): Generator<Declaration> {
  if (node.type === "enum_body_declarations") yield* membersIn(node, above, "enum");
  else if (node.type === "enum_constant") {
    yield { path: [...above, nameOf(node)], kind: "property", node, documented };
  } else if (node.type === "field_declaration" || node.type === "constant_declaration") {
    for (const one of childrenOfType(node, "variable_declarator")) {
      const path = [...above, nameOf(one)];
      yield { path, kind: "property", node, end: field(one, "value"), documented };
    }
  }
}
