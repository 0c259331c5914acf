import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childrenOfType,
  type Declaration,
  field,
  hasWord,
  nameOf,
  partsOf,
} from "./declaration.ts";
import type { SymbolKind } from "./symbol.ts";

/** PHP: everything at the top of a file, and members that are neither private nor protected. */
export function* phpDeclarations(root: Node): Generator<Declaration> {
  for (const { node, documented } of partsOf(root, phpdoc)) {
    const kind = kinds[node.type];
    const body = field(node, "body");
    if (node.type === "namespace_definition" && body) yield* phpDeclarations(body);
    if (node.type === "const_declaration") yield* constantsOf(node, [], documented);
    if (!kind) continue;
    const path = [nameOf(node)];
    yield { path, kind, node, end: body, documented };
    if (kind !== "function" && body) yield* membersIn(body, path);
  }
}

const phpdoc = /^\/\*\*/;

const kinds: Readonly<Record<string, SymbolKind>> = {
  function_definition: "function",
  class_declaration: "class",
  trait_declaration: "class",
  interface_declaration: "interface",
  enum_declaration: "enum",
};

function* membersIn(body: Node, above: readonly string[]): Generator<Declaration> {
  for (const { node, documented } of partsOf(body, phpdoc)) {
    if (hasWord(node, "private") || hasWord(node, "protected")) continue;
    const end = field(node, "body");
    if (node.type === "const_declaration") yield* constantsOf(node, above, documented);
    else if (node.type === "property_declaration") {
      for (const one of childrenOfType(node, "property_element")) {
        const name = (field(one, "name") ?? one).text.replace(/^\$/, "").replace(/\W.*$/s, "");
        const value = field(one, "default_value");
        yield { path: [...above, name], kind: "property", node, end: value, documented };
      }
    } else if (node.type === "enum_case") {
      yield { path: [...above, nameOf(node)], kind: "property", node, documented };
    } else if (node.type === "method_declaration") {
      const name = nameOf(node);
      if (name === "__construct") yield { path: above, kind: "class", node, end, documented };
      else if (!name.startsWith("__")) {
        yield { path: [...above, name], kind: "method", node, end, documented };
      }
    }
  }
}

function* constantsOf(
  node: Node,
  above: readonly string[],
  documented: boolean,
): Generator<Declaration> {
  const kind = above.length > 0 ? "property" : "constant";
  for (const one of childrenOfType(node, "const_element")) {
    const [name, value] = one.namedChildren;
    if (name) yield { path: [...above, name.text], kind, node, end: value, documented };
  }
}
