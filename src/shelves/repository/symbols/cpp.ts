import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childrenOfType,
  type Declaration,
  field,
  nameOf,
  type Part,
  partsOf,
} from "./declaration.ts";

/** C and C++: what a header declares, and the public part of its classes. */
export function* cppDeclarations(root: Node): Generator<Declaration> {
  for (const part of partsOf(root, anyComment)) {
    const { node } = part;
    const inside = wrappers.has(node.type) ? (field(node, "body") ?? node) : undefined;
    if (inside) yield* cppDeclarations(inside);
    else yield* declared(part, []);
  }
}

const anyComment = /^\/[/*]/;

/** What stands around declarations without being one: guards of headers, namespaces, `extern "C"`. */
const wrappers = new Set([
  "namespace_definition",
  "linkage_specification",
  "declaration_list",
  "preproc_ifdef",
  "preproc_if",
  "preproc_else",
  "preproc_elif",
]);

function* declared(part: Part, above: readonly string[]): Generator<Declaration> {
  const { node, documented } = part;
  switch (node.type) {
    case "template_declaration":
      for (const inner of childrenOfType(node, ...declarationTypes)) {
        yield* declared({ node: inner, documented }, above);
      }
      return;
    case "class_specifier":
    case "struct_specifier":
      yield* classOf(part, above);
      return;
    case "enum_specifier":
      yield { path: [...above, nameOf(node)], kind: "enum", node, documented };
      return;
    case "alias_declaration":
      yield { path: [...above, nameOf(node)], kind: "type", node, documented };
      return;
    case "type_definition": {
      const name = field(node, "declarator")?.text;
      if (name && /^\w+$/.test(name)) {
        yield { path: [...above, name], kind: "type", node, documented };
      }
      return;
    }
    case "preproc_function_def":
      yield { path: [nameOf(node)], kind: "function", node, end: field(node, "value"), documented };
      return;
    default:
      yield* functionOf(part, above);
  }
}

const declarationTypes = [
  "class_specifier",
  "struct_specifier",
  "function_definition",
  "declaration",
  "field_declaration",
  "alias_declaration",
];

function* classOf({ node, documented }: Part, above: readonly string[]): Generator<Declaration> {
  const body = field(node, "body");
  const name = nameOf(node);
  if (!body || name === "") return;
  const isStruct = node.type === "struct_specifier";
  const path = [...above, name];
  yield { path, kind: isStruct ? "struct" : "class", node, end: body, documented };
  let isPublic = isStruct;
  for (const part of partsOf(body, anyComment)) {
    if (part.node.type === "access_specifier") isPublic = part.node.text.startsWith("public");
    else if (isPublic) yield* declared(part, path);
  }
}

function* functionOf({ node, documented }: Part, above: readonly string[]): Generator<Declaration> {
  const isDeclaration = ["function_definition", "declaration", "field_declaration"];
  if (!isDeclaration.includes(node.type)) return;
  const within = field(node, "type");
  if (within && /^(class|struct|enum)_specifier$/.test(within.type) && field(within, "body")) {
    yield* declared({ node: within, documented }, above);
  }
  const declarator = functionDeclarator(field(node, "declarator"));
  const name = declarator && field(declarator, "declarator")?.text;
  const end = field(node, "body");
  if (name === undefined) {
    const own = field(node, "declarator");
    if (above.length === 0 || own?.type !== "field_identifier") return;
    const value = field(node, "default_value");
    yield { path: [...above, own.text], kind: "property", node, end: value, documented };
  } else if (/^[\w:]+$/.test(name)) {
    // A member that is defined outside of its class was declared in it.
    if (name.includes("::")) return;
    if (name === above.at(-1)) yield { path: above, kind: "class", node, end, documented };
    else {
      const kind = above.length > 0 ? "method" : "function";
      yield { path: [...above, name], kind, node, end, documented };
    }
  }
}

/** Stars and ampersands of the result stand around the function. */
function functionDeclarator(node: Node | undefined): Node | undefined {
  for (let inner = node, depth = 0; inner && depth < 10; depth++) {
    if (inner.type === "function_declarator") return inner;
    inner = field(inner, "declarator") ?? childrenOfType(inner, "function_declarator")[0];
  }
  return undefined;
}
