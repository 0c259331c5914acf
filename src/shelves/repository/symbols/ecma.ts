import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childrenOf,
  childrenOfType,
  type Declaration,
  field,
  hasWord,
  nameOf,
  type Part,
  partsOf,
} from "./declaration.ts";
import type { SymbolKind } from "./symbol.ts";

/** JavaScript and TypeScript: what a module exports, by whatever way. */
export function* ecmaDeclarations(root: Node): Generator<Declaration> {
  const exported = namesExportedLater(root);
  for (const { node, documented } of partsOf(root, jsdoc)) {
    const isExport = node.type === "export_statement";
    const inner = isExport ? field(node, "declaration") : node;
    if (!inner) {
      yield* defaultFunction(node, documented);
      continue;
    }
    for (const found of declared({ node: inner, documented }, [])) {
      const [own = "", ...rest] = found.path;
      const names = isExport ? [own || "default"] : (exported.get(own) ?? []);
      for (const name of names) yield { ...found, path: [name, ...rest] };
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
  for (const node of childrenOf(root)) {
    if (node.type === "expression_statement") {
      const right = wholeExports(node);
      if (right?.type === "identifier") add(right.text, right.text);
      for (const one of right?.type === "object" ? childrenOf(right) : []) {
        if (one.type === "shorthand_property_identifier") add(one.text, one.text);
        const value = field(one, "value");
        if (value?.type === "identifier") add(value.text, field(one, "key")?.text ?? value.text);
      }
    }
    if (node.type !== "export_statement" || field(node, "source")) continue;
    const value = field(node, "value");
    if (value?.type === "identifier") add(value.text, value.text);
    for (const clause of childrenOfType(node, "export_clause")) {
      for (const one of childrenOfType(clause, "export_specifier")) {
        const name = nameOf(one);
        const alias = field(one, "alias")?.text ?? name;
        add(name, alias === "default" ? name : alias);
      }
    }
  }
  return exported;
}

/** What stands on the right of `module.exports =`. */
function wholeExports(statement: Node): Node | undefined {
  const [assignment] = childrenOfType(statement, "assignment_expression");
  const isWhole = assignment && field(assignment, "left")?.text === "module.exports";
  return isWhole ? field(assignment, "right") : undefined;
}

/** `exports.one = function () {}` and `module.exports.one = 1`. */
function* assignedToExports(statement: Node, documented: boolean): Generator<Declaration> {
  if (statement.type !== "expression_statement") return;
  const [assignment] = childrenOfType(statement, "assignment_expression");
  const left = assignment && field(assignment, "left");
  const name = /^(?:module\.)?exports\.([\w$]+)$/.exec(left?.text ?? "")?.[1];
  const value = assignment && field(assignment, "right");
  // A name on both sides was declared elsewhere in the file, where its signature is.
  if (!assignment || name === undefined || !value) return;
  const end = functionEnd(value) ?? value;
  const kind = functionEnd(value) ? "function" : "constant";
  yield { path: [name], kind, node: assignment, end, documented };
}

function* defaultFunction(node: Node, documented: boolean): Generator<Declaration> {
  const value = field(node, "value");
  const end = value && functionEnd(value);
  if (end) yield { path: ["default"], kind: "function", node: value, end, documented };
}

const simple: Readonly<Record<string, SymbolKind>> = {
  function_declaration: "function",
  generator_function_declaration: "function",
  function_signature: "function",
  type_alias_declaration: "type",
  enum_declaration: "enum",
};

function* declared({ node, documented }: Part, above: string[]): Generator<Declaration> {
  const path = [...above, nameOf(node)];
  const kind = simple[node.type];
  if (kind) {
    const end = kind === "function" ? field(node, "body") : undefined;
    yield { path, kind, node, end, documented };
    return;
  }
  switch (node.type) {
    case "ambient_declaration":
      for (const inner of childrenOf(node)) yield* declared({ node: inner, documented }, above);
      return;
    case "expression_statement":
      for (const inner of childrenOfType(node, "internal_module")) {
        yield* declared({ node: inner, documented }, above);
      }
      return;
    case "internal_module":
    case "module":
      for (const part of partsOf(field(node, "body") ?? node, jsdoc)) {
        if (part.node.type !== "export_statement") continue;
        const inner = field(part.node, "declaration");
        if (inner) yield* declared({ ...part, node: inner }, path);
      }
      return;
    case "lexical_declaration":
    case "variable_declaration":
      for (const one of childrenOfType(node, "variable_declarator")) {
        yield* variable(one, documented, above);
      }
      return;
    case "class_declaration":
    case "abstract_class_declaration":
    case "interface_declaration": {
      const body = field(node, "body");
      const isClass = node.type !== "interface_declaration";
      yield { path, kind: isClass ? "class" : "interface", node, end: body, documented };
      if (body) yield* members(body, path);
    }
  }
}

function* variable(node: Node, documented: boolean, above: string[]): Generator<Declaration> {
  const name = field(node, "name");
  const value = field(node, "value");
  if (name?.type !== "identifier") return;
  const path = [...above, name.text];
  if (value?.type === "class") {
    const body = field(value, "body");
    yield { path, kind: "class", node, end: body, documented };
    if (body) yield* members(body, path);
    return;
  }
  const end = value && functionEnd(value);
  if (end) yield { path, kind: "function", node, end, documented };
  else yield { path, kind: "constant", node, end: value, documented };
}

/** The body of a function that is a value; its signature ends before it. */
function functionEnd(value: Node): Node | undefined {
  const isFunction = ["arrow_function", "function_expression", "function", "generator_function"];
  return isFunction.includes(value.type) ? field(value, "body") : undefined;
}

function* members(body: Node, above: readonly string[]): Generator<Declaration> {
  for (const { node, documented } of partsOf(body, jsdoc)) {
    const name = field(node, "name") ?? field(node, "property");
    if (!name || !/^(property_identifier|string|number)$/.test(name.type)) continue;
    if (hasWord(node, "private") || hasWord(node, "protected") || /^_/.test(name.text)) continue;
    const own = name.text.replace(/^["']|["']$/g, "");
    const value = field(node, "value");
    const end = field(node, "body") ?? (value && (functionEnd(value) ?? value));
    const isMethod = /method/.test(node.type) || (value && functionEnd(value));
    if (own === "constructor") yield { path: above, kind: "class", node, end, documented };
    else {
      const kind = isMethod ? "method" : "property";
      yield { path: [...above, own], kind, node, end, documented };
    }
  }
}
