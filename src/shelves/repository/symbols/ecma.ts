import type { Node } from "@vscode/tree-sitter-wasm";
import type { SymbolKind } from "./code-symbol.ts";
import {
  childNodes,
  childNodesOfType,
  type Declaration,
  type DocumentedNode,
  documentedChildren,
  fieldNode,
  hasModifier,
  nodeName,
} from "./declaration.ts";

/** JavaScript and TypeScript: all exports of a module, in any syntax. */
export function* ecmaDeclarations(root: Node): Generator<Declaration> {
  const exported = namesExportedLater(root);
  for (const { node, documented } of documentedChildren(root, jsdoc)) {
    const isExport = node.type === "export_statement";
    const inner = isExport ? fieldNode(node, "declaration") : node;
    if (!inner) {
      yield* defaultFunction(node, documented);
      continue;
    }
    for (const declaration of declared({ node: inner, documented }, [])) {
      const [localName = "", ...rest] = declaration.path;
      const names = isExport ? [localName || "default"] : (exported.get(localName) ?? []);
      for (const name of names) yield { ...declaration, path: [name, ...rest] };
    }
    if (!isExport) yield* assignedToExports(inner, documented);
  }
}

const jsdoc = /^\/\*\*/;

/** `export { one, two as three }`, `export default one`, `module.exports = { one }`. */
function namesExportedLater(root: Node): Map<string, string[]> {
  const exported = new Map<string, string[]>();
  const add = (own: string, name: string) =>
    exported.set(own, [...(exported.get(own) ?? []), name]);
  for (const node of childNodes(root)) {
    if (node.type === "expression_statement") {
      const right = moduleExportsValue(node);
      if (right?.type === "identifier") add(right.text, right.text);
      for (const child of right?.type === "object" ? childNodes(right) : []) {
        if (child.type === "shorthand_property_identifier") add(child.text, child.text);
        const value = fieldNode(child, "value");
        if (value?.type === "identifier")
          add(value.text, fieldNode(child, "key")?.text ?? value.text);
      }
    }
    if (node.type !== "export_statement" || fieldNode(node, "source")) continue;
    const value = fieldNode(node, "value");
    if (value?.type === "identifier") add(value.text, value.text);
    for (const clause of childNodesOfType(node, "export_clause")) {
      for (const child of childNodesOfType(clause, "export_specifier")) {
        const name = nodeName(child);
        const alias = fieldNode(child, "alias")?.text ?? name;
        add(name, alias === "default" ? name : alias);
      }
    }
  }
  return exported;
}

/** The value assigned to `module.exports`. */
function moduleExportsValue(statement: Node): Node | undefined {
  const [assignment] = childNodesOfType(statement, "assignment_expression");
  const isModuleExports = assignment && fieldNode(assignment, "left")?.text === "module.exports";
  return isModuleExports ? fieldNode(assignment, "right") : undefined;
}

/** `exports.one = function () {}` and `module.exports.one = 1`. */
function* assignedToExports(statement: Node, documented: boolean): Generator<Declaration> {
  if (statement.type !== "expression_statement") return;
  const [assignment] = childNodesOfType(statement, "assignment_expression");
  const left = assignment && fieldNode(assignment, "left");
  const name = /^(?:module\.)?exports\.([\w$]+)$/.exec(left?.text ?? "")?.[1];
  const value = assignment && fieldNode(assignment, "right");
  // A re-exported name is declared elsewhere in the file, where its signature is.
  if (!assignment || name === undefined || !value) return;
  const end = functionBody(value) ?? value;
  const kind = functionBody(value) ? "function" : "constant";
  yield { path: [name], kind, node: assignment, end, documented };
}

function* defaultFunction(node: Node, documented: boolean): Generator<Declaration> {
  const value = fieldNode(node, "value");
  const end = value && functionBody(value);
  if (end) yield { path: ["default"], kind: "function", node: value, end, documented };
}

const simpleDeclarations: Readonly<Record<string, SymbolKind>> = {
  function_declaration: "function",
  generator_function_declaration: "function",
  function_signature: "function",
  type_alias_declaration: "type",
  enum_declaration: "enum",
};

function* declared({ node, documented }: DocumentedNode, owner: string[]): Generator<Declaration> {
  const path = [...owner, nodeName(node)];
  const kind = simpleDeclarations[node.type];
  if (kind) {
    const end = kind === "function" ? fieldNode(node, "body") : undefined;
    yield { path, kind, node, end, documented };
    return;
  }
  switch (node.type) {
    case "ambient_declaration":
      for (const inner of childNodes(node)) yield* declared({ node: inner, documented }, owner);
      return;
    case "expression_statement":
      for (const inner of childNodesOfType(node, "internal_module")) {
        yield* declared({ node: inner, documented }, owner);
      }
      return;
    case "internal_module":
    case "module":
      for (const part of documentedChildren(fieldNode(node, "body") ?? node, jsdoc)) {
        if (part.node.type !== "export_statement") continue;
        const inner = fieldNode(part.node, "declaration");
        if (inner) yield* declared({ ...part, node: inner }, path);
      }
      return;
    case "lexical_declaration":
    case "variable_declaration":
      for (const one of childNodesOfType(node, "variable_declarator")) {
        yield* variable(one, documented, owner);
      }
      return;
    case "class_declaration":
    case "abstract_class_declaration":
    case "interface_declaration": {
      const body = fieldNode(node, "body");
      const isClass = node.type !== "interface_declaration";
      yield { path, kind: isClass ? "class" : "interface", node, end: body, documented };
      if (body) yield* members(body, path);
    }
  }
}

function* variable(node: Node, documented: boolean, owner: string[]): Generator<Declaration> {
  const name = fieldNode(node, "name");
  const value = fieldNode(node, "value");
  if (name?.type !== "identifier") return;
  const path = [...owner, name.text];
  if (value?.type === "class") {
    const body = fieldNode(value, "body");
    yield { path, kind: "class", node, end: body, documented };
    if (body) yield* members(body, path);
    return;
  }
  const end = value && functionBody(value);
  if (end) yield { path, kind: "function", node, end, documented };
  else yield { path, kind: "constant", node, end: value, documented };
}

/** The body of a function expression; its signature ends before it. */
function functionBody(value: Node): Node | undefined {
  const isFunction = ["arrow_function", "function_expression", "function", "generator_function"];
  return isFunction.includes(value.type) ? fieldNode(value, "body") : undefined;
}

function* members(body: Node, owner: readonly string[]): Generator<Declaration> {
  for (const { node, documented } of documentedChildren(body, jsdoc)) {
    const name = fieldNode(node, "name") ?? fieldNode(node, "property");
    if (!name || !/^(property_identifier|string|number)$/.test(name.type)) continue;
    if (hasModifier(node, "private") || hasModifier(node, "protected") || /^_/.test(name.text))
      continue;
    const own = name.text.replace(/^["']|["']$/g, "");
    const value = fieldNode(node, "value");
    const end = fieldNode(node, "body") ?? (value && (functionBody(value) ?? value));
    const isMethod = /method/.test(node.type) || (value && functionBody(value));
    if (own === "constructor") yield { path: owner, kind: "class", node, end, documented };
    else {
      const kind = isMethod ? "method" : "property";
      yield { path: [...owner, own], kind, node, end, documented };
    }
  }
}
