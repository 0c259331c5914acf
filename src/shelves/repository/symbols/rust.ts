import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childrenOfType,
  type Declaration,
  field,
  nameOf,
  type Part,
  partsOf,
} from "./declaration.ts";
import type { SymbolKind } from "./symbol.ts";

/** Rust: what is `pub` without limits, and what a public trait asks for. */
export function* rustDeclarations(root: Node): Generator<Declaration> {
  for (const part of partsOf(root, rustdoc)) {
    const { node } = part;
    if (node.type === "impl_item") yield* methodsOf(node);
    else if (isPublic(node)) yield* declared(part);
  }
}

const rustdoc = /^(\/\/\/|\/\*\*)/;

const isPublic = (node: Node): boolean =>
  childrenOfType(node, "visibility_modifier").some(({ text }) => text === "pub");

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

function* declared({ node, documented }: Part): Generator<Declaration> {
  const body = field(node, "body");
  if (node.type === "mod_item" && body) {
    yield* rustDeclarations(body);
    return;
  }
  const kind = kinds[node.type];
  if (!kind) return;
  const path = [nameOf(node)];
  // The variants of an enum, and the fields of a tuple, are how it is used.
  const isWhole = kind === "enum" || body?.type === "ordered_field_declaration_list";
  const end = isWhole ? undefined : (body ?? field(node, "value"));
  yield { path, kind, node, end, documented };
  if (kind === "interface" && body) {
    for (const part of partsOf(body, rustdoc)) {
      if (!/^function_(signature_)?item$/.test(part.node.type)) continue;
      yield {
        ...part,
        path: [...path, nameOf(part.node)],
        kind: "method",
        end: field(part.node, "body"),
      };
    }
  }
  if (body?.type === "field_declaration_list") {
    for (const part of partsOf(body, rustdoc)) {
      if (!isPublic(part.node)) continue;
      yield { ...part, path: [...path, nameOf(part.node)], kind: "property" };
    }
  }
}

/** What implements a trait is used by the trait's own rules. */
function* methodsOf(impl: Node): Generator<Declaration> {
  const body = field(impl, "body");
  const type = /^\w+/.exec(field(impl, "type")?.text ?? "")?.[0];
  if (!body || !type || field(impl, "trait")) return;
  for (const part of partsOf(body, rustdoc)) {
    if (!isPublic(part.node)) continue;
    const isMethod = part.node.type === "function_item";
    if (!isMethod && part.node.type !== "const_item") continue;
    yield {
      ...part,
      path: [type, nameOf(part.node)],
      kind: isMethod ? "method" : "property",
      end: field(part.node, "body") ?? field(part.node, "value"),
    };
  }
}
