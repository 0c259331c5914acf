import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childrenOf,
  childrenOfType,
  type Declaration,
  field,
  nameOf,
  partsOf,
} from "./declaration.ts";

/** Ruby: classes, modules, constants, and methods above a `private`. */
export const rubyDeclarations = (root: Node): Iterable<Declaration> => declaredIn(root, []);

const anyComment = /^(#|=begin)/;

function* declaredIn(block: Node, above: readonly string[]): Generator<Declaration> {
  const hidden = namesHidden(block);
  let isOpen = true;
  for (const { node, documented } of partsOf(block, anyComment)) {
    const name = nameOf(node);
    if (node.type === "identifier") {
      if (/^(private|protected)$/.test(node.text)) isOpen = false;
      if (/^(public|module_function)$/.test(node.text)) isOpen = true;
    } else if (node.type === "class" || node.type === "module") {
      const path = [...above, ...name.split("::")];
      const body = field(node, "body");
      yield { path, kind: node.type, node, end: body ?? undefined, documented };
      if (body) yield* declaredIn(body, path);
    } else if (node.type === "assignment") {
      const left = field(node, "left");
      if (left?.type !== "constant") continue;
      const end = field(node, "right");
      yield { path: [...above, left.text], kind: "constant", node, end, documented };
    } else if (node.type === "call") {
      if (isOpen) yield* attributes(node, above, documented);
    } else if (node.type === "method" || node.type === "singleton_method") {
      const isHidden = node.type === "method" && !isOpen;
      if (isHidden || hidden.has(name) || name.startsWith("_")) continue;
      const end = field(node, "body") ?? node.lastChild;
      if (name === "initialize") yield { path: above, kind: "class", node, end, documented };
      else {
        const kind = above.length > 0 ? "method" : "function";
        yield { path: [...above, name], kind, node, end, documented };
      }
    }
  }
}

/** `private :one, :two` and `private_class_method :three`. */
function namesHidden(block: Node): Set<string> {
  const names = new Set<string>();
  for (const call of childrenOfType(block, "call")) {
    if (!/^(private|protected|private_class_method|private_constant)$/.test(methodOf(call)))
      continue;
    for (const name of symbolsGiven(call)) names.add(name);
  }
  return names;
}

const methodOf = (call: Node): string => field(call, "method")?.text ?? "";

function symbolsGiven(call: Node): string[] {
  const given = field(call, "arguments");
  const symbols = given ? childrenOf(given).filter(({ type }) => type === "simple_symbol") : [];
  return symbols.map(({ text }) => text.slice(1));
}

function* attributes(
  call: Node,
  above: readonly string[],
  documented: boolean,
): Generator<Declaration> {
  if (!/^attr_(reader|writer|accessor)$/.test(methodOf(call)) || above.length === 0) return;
  for (const name of symbolsGiven(call)) {
    yield { path: [...above, name], kind: "property", node: call, documented };
  }
}
