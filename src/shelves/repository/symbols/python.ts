import type { Node } from "@vscode/tree-sitter-wasm";
import { childrenOf, childrenOfType, type Declaration, field, nameOf } from "./declaration.ts";

/** Python: what `__all__` names, or else what begins with no underscore. */
export function* pythonDeclarations(root: Node): Generator<Declaration> {
  const listed = namesListed(root);
  const isPublic = (name: string) => (listed ? listed.has(name) : !name.startsWith("_"));
  for (const found of declaredIn(root)) {
    const [name = ""] = found.path;
    const isConstant = found.kind !== "constant" || listed || /^[A-Z][A-Z\d_]*$/.test(name);
    if (isPublic(name) && isConstant) yield found;
  }
}

/** The strings of `__all__`, where it is a plain list. */
function namesListed(root: Node): ReadonlySet<string> | undefined {
  for (const statement of childrenOfType(root, "expression_statement")) {
    const [assignment] = childrenOfType(statement, "assignment");
    if (!assignment || field(assignment, "left")?.text !== "__all__") continue;
    const list = field(assignment, "right");
    if (!list || !["list", "tuple"].includes(list.type)) return undefined;
    const names = childrenOfType(list, "string").map(({ text }) =>
      text.replace(/^["']|["']$/g, ""),
    );
    return new Set(names);
  }
  return undefined;
}

/** A module may declare the same thing on several ways, such as for older versions. */
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
  for (const statement of childrenOf(block)) {
    if (branches.has(statement.type)) {
      yield* declaredIn(statement);
      continue;
    }
    const node =
      statement.type === "decorated_definition" ? field(statement, "definition") : statement;
    if (node?.type === "function_definition") yield functionOf(node, [nameOf(node)]);
    else if (node?.type === "class_definition") yield* classOf(node, []);
    else if (node?.type === "type_alias_statement") yield* alias(node);
    else if (node?.type === "expression_statement") yield* assigned(node, [], "constant");
  }
}

function functionOf(node: Node, path: readonly string[], kind: Declaration["kind"] = "function") {
  return { path, kind, node, end: field(node, "body"), documented: hasDocstring(node) };
}

function* classOf(node: Node, above: readonly string[]): Generator<Declaration> {
  const path = [...above, nameOf(node)];
  const body = field(node, "body");
  yield { path, kind: "class", node, end: body, documented: hasDocstring(node) };
  for (const statement of body ? childrenOf(body) : []) {
    const isDecorated = statement.type === "decorated_definition";
    const member = isDecorated ? field(statement, "definition") : statement;
    if (!member) continue;
    const name = nameOf(member);
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
  above: readonly string[],
  kind: "constant" | "property",
): Generator<Declaration> {
  const [node] = childrenOfType(statement, "assignment");
  const left = node && field(node, "left");
  if (!node || left?.type !== "identifier" || left.text.startsWith("_")) return;
  yield { path: [...above, left.text], kind, node, end: field(node, "right"), documented: false };
}

function* alias(node: Node): Generator<Declaration> {
  const name = field(node, "left")?.text.replace(/\W.*$/s, "");
  if (name) yield { path: [name], kind: "type", node, documented: false };
}

function hasDocstring(node: Node): boolean {
  const first = field(node, "body")?.firstNamedChild;
  return first?.type === "expression_statement" && first.firstNamedChild?.type === "string";
}
