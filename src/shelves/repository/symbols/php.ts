import type { Node } from "@vscode/tree-sitter-wasm";
import type { SymbolKind } from "./code-symbol.ts";
import {
  childNodesOfType,
  type Declaration,
  documentedChildren,
  fieldNode,
  hasModifier,
  nodeName,
} from "./declaration.ts";

/** PHP: top-level declarations, and members that are neither private nor protected. */
export function* phpDeclarations(root: Node): Generator<Declaration> {
  for (const { node, documented } of documentedChildren(root, phpdoc)) {
    const kind = kinds[node.type];
    const body = fieldNode(node, "body");
    if (node.type === "namespace_definition" && body) yield* phpDeclarations(body);
    if (node.type === "const_declaration") yield* constantsOf(node, [], documented);
    if (!kind) continue;
    const path = [nodeName(node)];
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

function* membersIn(body: Node, owner: readonly string[]): Generator<Declaration> {
  for (const { node, documented } of documentedChildren(body, phpdoc)) {
    if (hasModifier(node, "private") || hasModifier(node, "protected")) continue;
    const end = fieldNode(node, "body");
    if (node.type === "const_declaration") yield* constantsOf(node, owner, documented);
    else if (node.type === "property_declaration") {
      for (const element of childNodesOfType(node, "property_element")) {
        const name = (fieldNode(element, "name") ?? element).text
          .replace(/^\$/, "")
          .replace(/\W.*$/s, "");
        const value = fieldNode(element, "default_value");
        yield { path: [...owner, name], kind: "property", node, end: value, documented };
      }
    } else if (node.type === "enum_case") {
      yield { path: [...owner, nodeName(node)], kind: "property", node, documented };
    } else if (node.type === "method_declaration") {
      const name = nodeName(node);
      if (name === "__construct") yield { path: owner, kind: "class", node, end, documented };
      else if (!name.startsWith("__")) {
        yield { path: [...owner, name], kind: "method", node, end, documented };
      }
    }
  }
}

function* constantsOf(
  node: Node,
  owner: readonly string[],
  documented: boolean,
): Generator<Declaration> {
  const kind = owner.length > 0 ? "property" : "constant";
  for (const element of childNodesOfType(node, "const_element")) {
    const [name, value] = element.namedChildren;
    if (name) yield { path: [...owner, name.text], kind, node, end: value, documented };
  }
}
