import type { Node } from "@vscode/tree-sitter-wasm";
import { type Declaration, field, nameOf, partsOf } from "./declaration.ts";

/** Shell: functions that begin with no underscore. */
export function* bashDeclarations(root: Node): Generator<Declaration> {
  for (const { node, documented } of partsOf(root, /^#(?!!)/)) {
    if (node.type !== "function_definition" || nameOf(node).startsWith("_")) continue;
    yield { path: [nameOf(node)], kind: "function", node, end: field(node, "body"), documented };
  }
}
