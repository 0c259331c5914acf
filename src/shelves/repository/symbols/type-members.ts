import type { Node } from "@vscode/tree-sitter-wasm";
import type { SymbolKind } from "./code-symbol.ts";
import {
  type Declaration,
  type DocumentedNode,
  documentedChildren,
  hasModifier,
  nodeName,
} from "./declaration.ts";

/** The rules of a language whose public types have public members. */
interface TypeRules {
  kinds: Readonly<Record<string, SymbolKind>>;
  /** Matches documentation comments. */
  docComment: RegExp;
  /** The block of members; undefined if its children are not members. */
  bodyOf(type: Node, kind: SymbolKind): Node | undefined;
  /** The end of a member's signature. */
  endOf(member: Node): Node | undefined;
  /** Members other than methods, constructors and types. */
  otherMembers(part: DocumentedNode, owners: readonly string[]): Iterable<Declaration>;
}

/** Reads a type with its members, for languages like Java and C#. */
export function createTypeReader(rules: TypeRules) {
  const { kinds, docComment, bodyOf, endOf, otherMembers } = rules;
  return { typeOf, membersIn };

  function* typeOf(
    { node, documented }: DocumentedNode,
    owner: readonly string[],
  ): Generator<Declaration> {
    const kind = kinds[node.type];
    if (!kind) return;
    const path = [...owner, nodeName(node)];
    const body = bodyOf(node, kind);
    yield { path, kind, node, end: body, documented };
    if (body) yield* membersIn(body, path, kind);
  }

  function* membersIn(
    body: Node,
    owners: readonly string[],
    owner: SymbolKind,
  ): Generator<Declaration> {
    // Interface members are public by default.
    const isHidden = (node: Node): boolean =>
      owner === "interface" ? hasModifier(node, "private") : !hasModifier(node, "public");
    for (const part of documentedChildren(body, docComment)) {
      const { node, documented } = part;
      if (isHidden(node) && !alwaysPublicTypes.has(node.type)) continue;
      const end = endOf(node);
      if (node.type === "constructor_declaration") {
        yield { path: owners, kind: "class", node, end, documented };
      } else if (node.type === "method_declaration") {
        yield { path: [...owners, nodeName(node)], kind: "method", node, end, documented };
      } else if (kinds[node.type]) yield* typeOf(part, owners);
      else yield* otherMembers(part, owners);
    }
  }
}

/** Enum parts have no access modifiers. */
const alwaysPublicTypes = new Set(["enum_constant", "enum_body_declarations"]);
