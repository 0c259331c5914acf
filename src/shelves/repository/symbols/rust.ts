import type { Node } from "@vscode/tree-sitter-wasm";
import type { SymbolKind } from "./code-symbol.ts";
import {
  childNodesOfType,
  type Declaration,
  type DocumentedNode,
  documentedChildren,
  fieldNode,
  nodeName,
} from "./declaration.ts";

/** Rust: items that are unrestricted `pub`, and the methods of public traits. */
export function* rustDeclarations(root: Node): Generator<Declaration> {
  for (const part of documentedChildren(root, rustdoc)) {
    const { node } = part;
    if (node.type === "impl_item") yield* methodsOf(node);
    else if (isPublic(node)) yield* declared(part);
  }
}

const rustdoc = /^(\/\/\/|\/\*\*)/;

const isPublic = (node: Node): boolean =>
  childNodesOfType(node, "visibility_modifier").some(({ text }) => text === "pub");

const kinds: Readonly<Record<string, SymbolKind>> = {
  function_item: "function",
  struct_item: "struct",
  union_item: "struct",
  enum_item: "enum",
  trait_item: "interface",
  type_item: "type",
  const_item: "constant",
  static_item: "constant",
};

function* declared({ node, documented }: DocumentedNode): Generator<Declaration> {
  const body = fieldNode(node, "body");
  if (node.type === "mod_item" && body) {
    yield* rustDeclarations(body);
    return;
  }
  const kind = kinds[node.type];
  if (!kind) return;
  const path = [nodeName(node)];
  // Enum variants and tuple fields are part of the signature.
  const isEntire = kind === "enum" || body?.type === "ordered_field_declaration_list";
  const end = isEntire ? undefined : (body ?? fieldNode(node, "value"));
  yield { path, kind, node, end, documented };
  if (kind === "interface" && body) {
    for (const part of documentedChildren(body, rustdoc)) {
      if (!/^function_(signature_)?item$/.test(part.node.type)) continue;
      yield {
        ...part,
        path: [...path, nodeName(part.node)],
        kind: "method",
        end: fieldNode(part.node, "body"),
      };
    }
  }
  if (body?.type === "field_declaration_list") {
    for (const part of documentedChildren(body, rustdoc)) {
      if (!isPublic(part.node)) continue;
      yield { ...part, path: [...path, nodeName(part.node)], kind: "property" };
    }
  }
}

/** Inherent methods only: trait implementations are documented by the trait. */
function* methodsOf(impl: Node): Generator<Declaration> {
  const body = fieldNode(impl, "body");
  const type = /^\w+/.exec(fieldNode(impl, "type")?.text ?? "")?.[0];
  if (!body || !type || fieldNode(impl, "trait")) return;
  for (const part of documentedChildren(body, rustdoc)) {
    if (!isPublic(part.node)) continue;
    const isMethod = part.node.type === "function_item";
    if (!isMethod && part.node.type !== "const_item") continue;
    yield {
      ...part,
      path: [type, nodeName(part.node)],
      kind: isMethod ? "method" : "property",
      end: fieldNode(part.node, "body") ?? fieldNode(part.node, "value"),
    };
  }
}
