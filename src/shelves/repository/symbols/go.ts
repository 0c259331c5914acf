import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childrenOf,
  childrenOfType,
  type Declaration,
  field,
  nameOf,
  partsOf,
} from "./declaration.ts";

/** Go: names with a capital letter, of packages that can be imported. */
export function* goDeclarations(root: Node): Generator<Declaration> {
  const [clause] = childrenOfType(root, "package_clause");
  if (!clause || /^package\s+(main|\w+_test)\b/.test(clause.text)) return;
  for (const found of declaredIn(root)) {
    if (found.path.every((name) => /^\p{Lu}/u.test(name))) yield found;
  }
}

const anyComment = /^\/[/*]/;

function* declaredIn(root: Node): Generator<Declaration> {
  for (const { node, documented } of partsOf(root, anyComment)) {
    const end = field(node, "body");
    if (node.type === "function_declaration") {
      yield { path: [nameOf(node)], kind: "function", node, end, documented };
    } else if (node.type === "method_declaration") {
      const receiver = /(\w+)\s*(?:\[[^\]]*\])?\s*\)$/.exec(
        field(node, "receiver")?.text ?? "",
      )?.[1];
      if (receiver) {
        yield { path: [receiver, nameOf(node)], kind: "method", node, end, documented };
      }
    } else if (node.type === "type_declaration") {
      for (const part of partsOf(node, anyComment)) {
        yield* typeOf(part.node, documented || part.documented);
      }
    } else if (node.type === "const_declaration" || node.type === "var_declaration") {
      yield* constantsIn(node, documented);
    }
  }
}

function* constantsIn(group: Node, documented: boolean): Generator<Declaration> {
  for (const part of partsOf(group, anyComment)) {
    if (part.node.type === "var_spec_list") yield* constantsIn(part.node, documented);
    if (!/^(const|var)_spec$/.test(part.node.type)) continue;
    for (const name of part.node.childrenForFieldName("name")) {
      if (name?.type !== "identifier") continue;
      yield {
        path: [name.text],
        kind: "constant",
        node: part.node,
        end: field(part.node, "value"),
        documented: documented || part.documented,
      };
    }
  }
}

function* typeOf(node: Node, documented: boolean): Generator<Declaration> {
  const path = [nameOf(node)];
  const type = field(node, "type");
  if (type?.type === "struct_type") {
    const [body] = childrenOfType(type, "field_declaration_list");
    yield { path, kind: "struct", node, end: body, documented };
    for (const part of body ? partsOf(body, anyComment) : []) {
      for (const name of part.node.childrenForFieldName("name")) {
        if (!name) continue;
        yield {
          path: [...path, name.text],
          kind: "property",
          node: part.node,
          end: field(part.node, "tag"),
          documented: part.documented,
        };
      }
    }
  } else if (type?.type === "interface_type") {
    const [first] = childrenOf(type);
    yield { path, kind: "interface", node, end: first, documented };
    for (const part of partsOf(type, anyComment)) {
      if (!/^method_(elem|spec)$/.test(part.node.type)) continue;
      yield { ...part, path: [...path, nameOf(part.node)], kind: "method" };
    }
  } else yield { path, kind: "type", node, documented };
}
