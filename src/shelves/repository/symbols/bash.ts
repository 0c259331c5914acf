import type { Node } from "@vscode/tree-sitter-wasm";
import { type Declaration, documentedChildren, fieldNode, nodeName } from "./declaration.ts";

/** Shell: functions whose names do not start with an underscore. */
export function* bashDeclarations(root: Node): Generator<Declaration> {
  for (const { node, documented } of documentedChildren(root, /^#(?!!)/)) {
    if (node.type !== "function_definition" || nodeName(node).startsWith("_")) continue;
    yield {
      path: [nodeName(node)],
      kind: "function",
      node,
      end: fieldNode(node, "body"),
      documented,
    };
  }
}
