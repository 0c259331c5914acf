import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childNodes,
  childNodesOfType,
  type Declaration,
  documentedChildren,
  fieldNode,
  nodeName,
} from "./declaration.ts";

/** Ruby: classes, modules, constants, and methods above a `private`. */
export const rubyDeclarations = (root: Node): Iterable<Declaration> => declaredIn(root, []);

const anyComment = /^(#|=begin)/;

function* declaredIn(block: Node, owner: readonly string[]): Generator<Declaration> {
  const hidden = hiddenNames(block);
  let isPublic = true;
  for (const { node, documented } of documentedChildren(block, anyComment)) {
    const name = nodeName(node);
    if (node.type === "identifier") {
      if (/^(private|protected)$/.test(node.text)) isPublic = false;
      if (/^(public|module_function)$/.test(node.text)) isPublic = true;
    } else if (node.type === "class" || node.type === "module") {
      const path = [...owner, ...name.split("::")];
      const body = fieldNode(node, "body");
      yield { path, kind: node.type, node, end: body ?? undefined, documented };
      if (body) yield* declaredIn(body, path);
    } else if (node.type === "assignment") {
      const left = fieldNode(node, "left");
      if (left?.type !== "constant") continue;
      const end = fieldNode(node, "right");
      yield { path: [...owner, left.text], kind: "constant", node, end, documented };
    } else if (node.type === "call") {
      if (isPublic) yield* attributes(node, owner, documented);
    } else if (node.type === "method" || node.type === "singleton_method") {
      const isHidden = node.type === "method" && !isPublic;
      if (isHidden || hidden.has(name) || name.startsWith("_")) continue;
      const end = fieldNode(node, "body") ?? node.lastChild;
      if (name === "initialize") yield { path: owner, kind: "class", node, end, documented };
      else {
        const kind = owner.length > 0 ? "method" : "function";
        yield { path: [...owner, name], kind, node, end, documented };
      }
    }
  }
}

/** `private :one, :two` and `private_class_method :three`. */
function hiddenNames(block: Node): Set<string> {
  const names = new Set<string>();
  for (const call of childNodesOfType(block, "call")) {
    if (!/^(private|protected|private_class_method|private_constant)$/.test(calledMethod(call)))
      continue;
    for (const name of symbolArguments(call)) names.add(name);
  }
  return names;
}

const calledMethod = (call: Node): string => fieldNode(call, "method")?.text ?? "";

function symbolArguments(call: Node): string[] {
  const argumentList = fieldNode(call, "arguments");
  const symbols = argumentList
    ? childNodes(argumentList).filter(({ type }) => type === "simple_symbol")
    : [];
  return symbols.map(({ text }) => text.slice(1));
}

function* attributes(
  call: Node,
  owner: readonly string[],
  documented: boolean,
): Generator<Declaration> {
  if (!/^attr_(reader|writer|accessor)$/.test(calledMethod(call)) || owner.length === 0) return;
  for (const name of symbolArguments(call)) {
    yield { path: [...owner, name], kind: "property", node: call, documented };
  }
}
