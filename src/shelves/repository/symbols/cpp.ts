import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childNodesOfType,
  type Declaration,
  type DocumentedNode,
  documentedChildren,
  fieldNode,
  nodeName,
} from "./declaration.ts";

/** C and C++: the declarations of a header, and the public members of its classes. */
export function* cppDeclarations(root: Node): Generator<Declaration> {
  for (const part of documentedChildren(root, anyComment)) {
    const { node } = part;
    const wrapped = wrappers.has(node.type) ? (fieldNode(node, "body") ?? node) : undefined;
    if (wrapped) yield* cppDeclarations(wrapped);
    else yield* declared(part, []);
  }
}

const anyComment = /^\/[/*]/;

/** Nodes that contain declarations without being one: header guards, namespaces, `extern "C"`. */
const wrappers = new Set([
  "namespace_definition",
  "linkage_specification",
  "declaration_list",
  "preproc_ifdef",
  "preproc_if",
  "preproc_else",
  "preproc_elif",
]);

function* declared(part: DocumentedNode, owner: readonly string[]): Generator<Declaration> {
  const { node, documented } = part;
  switch (node.type) {
    case "template_declaration":
      for (const inner of childNodesOfType(node, ...declarationTypes)) {
        yield* declared({ node: inner, documented }, owner);
      }
      return;
    case "class_specifier":
    case "struct_specifier":
      yield* classOf(part, owner);
      return;
    case "enum_specifier":
      yield { path: [...owner, nodeName(node)], kind: "enum", node, documented };
      return;
    case "alias_declaration":
      yield { path: [...owner, nodeName(node)], kind: "type", node, documented };
      return;
    case "type_definition": {
      const name = fieldNode(node, "declarator")?.text;
      if (name && /^\w+$/.test(name)) {
        yield { path: [...owner, name], kind: "type", node, documented };
      }
      return;
    }
    case "preproc_function_def":
      yield {
        path: [nodeName(node)],
        kind: "function",
        node,
        end: fieldNode(node, "value"),
        documented,
      };
      return;
    default:
      yield* functionOf(part, owner);
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

function* classOf(
  { node, documented }: DocumentedNode,
  owner: readonly string[],
): Generator<Declaration> {
  const body = fieldNode(node, "body");
  const name = nodeName(node);
  if (!body || name === "") return;
  const isStruct = node.type === "struct_specifier";
  const path = [...owner, name];
  yield { path, kind: isStruct ? "struct" : "class", node, end: body, documented };
  let isPublic = isStruct;
  for (const part of documentedChildren(body, anyComment)) {
    if (part.node.type === "access_specifier") isPublic = part.node.text.startsWith("public");
    else if (isPublic) yield* declared(part, path);
  }
}

function* functionOf(
  { node, documented }: DocumentedNode,
  owner: readonly string[],
): Generator<Declaration> {
  const isDeclaration = ["function_definition", "declaration", "field_declaration"];
  if (!isDeclaration.includes(node.type)) return;
  const type = fieldNode(node, "type");
  if (type && /^(class|struct|enum)_specifier$/.test(type.type) && fieldNode(type, "body")) {
    yield* declared({ node: type, documented }, owner);
  }
  const declarator = functionDeclarator(fieldNode(node, "declarator"));
  const name = declarator && fieldNode(declarator, "declarator")?.text;
  const end = fieldNode(node, "body");
  if (name === undefined) {
    const declared = fieldNode(node, "declarator");
    if (owner.length === 0 || declared?.type !== "field_identifier") return;
    const value = fieldNode(node, "default_value");
    yield { path: [...owner, declared.text], kind: "property", node, end: value, documented };
  } else if (/^[\w:]+$/.test(name)) {
    // A member defined outside its class was already declared in it.
    if (name.includes("::")) return;
    if (name === owner.at(-1)) yield { path: owner, kind: "class", node, end, documented };
    else {
      const kind = owner.length > 0 ? "method" : "function";
      yield { path: [...owner, name], kind, node, end, documented };
    }
  }
}

/** Pointer and reference declarators of the result enclose the function declarator. */
function functionDeclarator(node: Node | undefined): Node | undefined {
  for (let inner = node, depth = 0; inner && depth < 10; depth++) {
    if (inner.type === "function_declarator") return inner;
    inner = fieldNode(inner, "declarator") ?? childNodesOfType(inner, "function_declarator")[0];
  }
  return undefined;
}
