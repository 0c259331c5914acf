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

/** Java: public types and their public members. */
export function* javaDeclarations(root: Node): Generator<Declaration> {
  for (const part of partsOf(root, javadoc)) {
    if (hasWord(part.node, "public")) yield* typeOf(part, []);
  }
}

const javadoc = /^\/\*\*/;

const kinds: Readonly<Record<string, SymbolKind>> = {
  class_declaration: "class",
  record_declaration: "class",
  interface_declaration: "interface",
  annotation_type_declaration: "interface",
  enum_declaration: "enum",
};

function* typeOf({ node, documented }: Part, above: readonly string[]): Generator<Declaration> {
  const kind = kinds[node.type];
  if (!kind) return;
  const path = [...above, nameOf(node)];
  const body = field(node, "body");
  yield { path, kind, node, end: body, documented };
  if (body) yield* membersIn(body, path, kind === "interface");
}

function* membersIn(
  body: Node,
  above: readonly string[],
  isInterface: boolean,
): Generator<Declaration> {
  for (const part of partsOf(body, javadoc)) {
    const { node, documented } = part;
    if (node.type === "enum_body_declarations") {
      yield* membersIn(node, above, false);
      continue;
    }
    if (node.type === "enum_constant") {
      yield { path: [...above, nameOf(node)], kind: "property", node, documented };
      continue;
    }
    if (isInterface ? hasWord(node, "private") : !hasWord(node, "public")) continue;
    const end = field(node, "body");
    if (node.type === "constructor_declaration") {
      yield { path: above, kind: "class", node, end, documented };
    } else if (node.type === "method_declaration") {
      yield { path: [...above, nameOf(node)], kind: "method", node, end, documented };
    } else if (node.type === "field_declaration" || node.type === "constant_declaration") {
      for (const one of childrenOfType(node, "variable_declarator")) {
        const path = [...above, nameOf(one)];
        yield { path, kind: "property", node, end: field(one, "value"), documented };
      }
    } else yield* typeOf(part, above);
  }
}
