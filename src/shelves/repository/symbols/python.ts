import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childNodes,
  childNodesOfType,
  type Declaration,
  fieldNode,
  nodeName,
} from "./declaration.ts";

/** Python: the names in `__all__`, or else those without a leading underscore. */
export function* pythonDeclarations(root: Node): Generator<Declaration> {
  const listed = listedNames(root);
  const isPublic = (name: string) => (listed ? listed.has(name) : !name.startsWith("_"));
  for (const declaration of declaredIn(root)) {
    const [name = ""] = declaration.path;
    const isConstant = declaration.kind !== "constant" || listed || /^[A-Z][A-Z\d_]*$/.test(name);
    if (isPublic(name) && isConstant) yield declaration;
  }
}

/** The strings of `__all__` if it is a literal list. */
function listedNames(root: Node): ReadonlySet<string> | undefined {
  for (const statement of childNodesOfType(root, "expression_statement")) {
    const [assignment] = childNodesOfType(statement, "assignment");
    if (!assignment || fieldNode(assignment, "left")?.text !== "__all__") continue;
    const list = fieldNode(assignment, "right");
    if (!list || !["list", "tuple"].includes(list.type)) return undefined;
    const names = childNodesOfType(list, "string").map(({ text }) =>
      text.replace(/^["']|["']$/g, ""),
    );
    return new Set(names);
  }
  return undefined;
}

/** Statements whose branches may contain declarations, e.g. for older versions. */
const branches = new Set([
  "if_statement",
  "elif_clause",
  "else_clause",
  "try_statement",
  "except_clause",
  "finally_clause",
  "block",
]);

function* declaredIn(block: Node): Generator<Declaration> {
  for (const statement of childNodes(block)) {
    if (branches.has(statement.type)) {
      yield* declaredIn(statement);
      continue;
    }
    const node =
      statement.type === "decorated_definition" ? fieldNode(statement, "definition") : statement;
    if (node?.type === "function_definition") yield functionOf(node, [nodeName(node)]);
    else if (node?.type === "class_definition") yield* classOf(node, []);
    else if (node?.type === "type_alias_statement") yield* alias(node);
    else if (node?.type === "expression_statement") yield* assigned(node, [], "constant");
  }
}

function functionOf(node: Node, path: readonly string[], kind: Declaration["kind"] = "function") {
  return { path, kind, node, end: fieldNode(node, "body"), documented: hasDocstring(node) };
}

function* classOf(node: Node, owner: readonly string[]): Generator<Declaration> {
  const path = [...owner, nodeName(node)];
  const body = fieldNode(node, "body");
  yield { path, kind: "class", node, end: body, documented: hasDocstring(node) };
  for (const statement of body ? childNodes(body) : []) {
    const isDecorated = statement.type === "decorated_definition";
    const member = isDecorated ? fieldNode(statement, "definition") : statement;
    if (!member) continue;
    const name = nodeName(member);
    if (name === "__init__") yield functionOf(member, path, "class");
    if (member.type === "expression_statement") yield* assigned(member, path, "property");
    if (name === "" || name.startsWith("_")) continue;
    if (member.type === "class_definition") yield* classOf(member, path);
    if (member.type !== "function_definition") continue;
    const isProperty = isDecorated && /^@(?:[\w.]+\.)?(?:cached_)?property\b/.test(statement.text);
    yield functionOf(member, [...path, name], isProperty ? "property" : "method");
  }
}

function* assigned(
  statement: Node,
  owner: readonly string[],
  kind: "constant" | "property",
): Generator<Declaration> {
  const [node] = childNodesOfType(statement, "assignment");
  const left = node && fieldNode(node, "left");
  if (!node || left?.type !== "identifier" || left.text.startsWith("_")) return;
  yield {
    path: [...owner, left.text],
    kind,
    node,
    end: fieldNode(node, "right"),
    documented: false,
  };
}

function* alias(node: Node): Generator<Declaration> {
  const name = fieldNode(node, "left")?.text.replace(/\W.*$/s, "");
  if (name) yield { path: [name], kind: "type", node, documented: false };
}

function hasDocstring(node: Node): boolean {
  const first = fieldNode(node, "body")?.firstNamedChild;
  return first?.type === "expression_statement" && first.firstNamedChild?.type === "string";
}
