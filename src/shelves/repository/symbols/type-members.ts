import type { Node } from "@vscode/tree-sitter-wasm";
import { type Declaration, hasWord, nameOf, type Part, partsOf } from "./declaration.ts";
import type { SymbolKind } from "./symbol.ts";

/** What is particular to a language whose public types have public members. */
interface Particulars {
  kinds: Readonly<Record<string, SymbolKind>>;
  /** How a comment for users begins. */
  isForUsers: RegExp;
  /** The block of members; nothing where its parts are no members of their own. */
  bodyOf(type: Node, kind: SymbolKind): Node | undefined;
  /** Where the signature of a member ends. */
  endOf(member: Node): Node | undefined;
  /** Members that are neither methods nor constructors nor types. */
  othersIn(part: Part, above: readonly string[]): Iterable<Declaration>;
}

/** Reads one type with its members, as Java and C# have them. */
export function publicTypes(particulars: Particulars) {
  const { kinds, isForUsers, bodyOf, endOf, othersIn } = particulars;
  return { typeOf, membersIn };

  function* typeOf({ node, documented }: Part, above: readonly string[]): Generator<Declaration> {
    const kind = kinds[node.type];
    if (!kind) return;
    const path = [...above, nameOf(node)];
    const body = bodyOf(node, kind);
    yield { path, kind, node, end: body, documented };
    if (body) yield* membersIn(body, path, kind);
  }

  function* membersIn(
    body: Node,
    above: readonly string[],
    owner: SymbolKind,
  ): Generator<Declaration> {
    // What an interface declares is public unless it says otherwise.
    const isHidden = (node: Node): boolean =>
      owner === "interface" ? hasWord(node, "private") : !hasWord(node, "public");
    for (const part of partsOf(body, isForUsers)) {
      const { node, documented } = part;
      if (isHidden(node) && !alwaysShown.has(node.type)) continue;
      const end = endOf(node);
      if (node.type === "constructor_declaration") {
        yield { path: above, kind: "class", node, end, documented };
      } else if (node.type === "method_declaration") {
        yield { path: [...above, nameOf(node)], kind: "method", node, end, documented };
      } else if (kinds[node.type]) yield* typeOf(part, above);
      else yield* othersIn(part, above);
    }
  }
}

/** Parts of an enumeration say nothing of who may use them. */
const alwaysShown = new Set(["enum_constant", "enum_body_declarations"]);
