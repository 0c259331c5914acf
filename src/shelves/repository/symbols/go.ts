import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childNodes,
  childNodesOfType,
  type Declaration,
  documentedChildren,
  fieldNode,
  nodeName,
} from "./declaration.ts";

/** Go: capitalised names of importable packages. */
export function* goDeclarations(root: Node): Generator<Declaration> {
  const [clause] = childNodesOfType(root, "package_clause");
  if (!clause || /^package\s+(main|\w+_test)\b/.test(clause.text)) return;
  for (const declaration of declaredIn(root)) {
    if (declaration.path.every((name) => /^\p{Lu}/u.test(name))) yield declaration;
  }
}

const anyComment = /^\/[/*]/;

function* declaredIn(root: Node): Generator<Declaration> {
  for (const { node, documented } of documentedChildren(root, anyComment)) {
    const end = fieldNode(node, "body");
    if (node.type === "function_declaration") {
      yield { path: [nodeName(node)], kind: "function", node, end, documented };
    } else if (node.type === "method_declaration") {
      const receiver = /(\w+)\s*(?:\[[^\]]*\])?\s*\)$/.exec(
        fieldNode(node, "receiver")?.text ?? "",
      )?.[1];
      if (receiver) {
        yield { path: [receiver, nodeName(node)], kind: "method", node, end, documented };
      }
    } else if (node.type === "type_declaration") {
      for (const part of documentedChildren(node, anyComment)) {
        yield* typeOf(part.node, documented || part.documented);
      }
    } else if (node.type === "const_declaration" || node.type === "var_declaration") {
      yield* constantsIn(node, documented);
    }
  }
}

function* constantsIn(group: Node, documented: boolean): Generator<Declaration> {
  for (const part of documentedChildren(group, anyComment)) {
    if (part.node.type === "var_spec_list") yield* constantsIn(part.node, documented);
    if (!/^(const|var)_spec$/.test(part.node.type)) continue;
    for (const name of part.node.childrenForFieldName("name")) {
      if (name?.type !== "identifier") continue;
      yield {
        path: [name.text],
        kind: "constant",
        node: part.node,
        end: fieldNode(part.node, "value"),
        documented: documented || part.documented,
      };
    }
  }
}

function* typeOf(node: Node, documented: boolean): Generator<Declaration> {
  const path = [nodeName(node)];
  const type = fieldNode(node, "type");
  if (type?.type === "struct_type") {
    const [body] = childNodesOfType(type, "field_declaration_list");
    yield { path, kind: "struct", node, end: body, documented };
    for (const part of body ? documentedChildren(body, anyComment) : []) {
      for (const name of part.node.childrenForFieldName("name")) {
        if (!name) continue;
        yield {
          path: [...path, name.text],
          kind: "property",
          node: part.node,
          end: fieldNode(part.node, "tag"),
          documented: part.documented,
        };
      }
    }
  } else if (type?.type === "interface_type") {
    const [first] = childNodes(type);
    yield { path, kind: "interface", node, end: first, documented };
    for (const part of documentedChildren(type, anyComment)) {
      if (!/^method_(elem|spec)$/.test(part.node.type)) continue;
      yield { ...part, path: [...path, nodeName(part.node)], kind: "method" };
    }
  } else yield { path, kind: "type", node, documented };
}
