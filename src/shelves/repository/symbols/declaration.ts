import type { Node } from "@vscode/tree-sitter-wasm";
import type { SymbolKind } from "./symbol.ts";

/** A declaration that others can use, where it stands in the tree of its file. */
export interface Declaration {
  /** Its name, behind the names of what it belongs to. */
  path: readonly string[];
  kind: SymbolKind;
  node: Node;
  /** Where the signature ends: its body, or the value. Without it the whole declaration is one. */
  end?: Node | null | undefined;
  documented: boolean;
}

/** Finds the declarations of a file that others can use. */
export type Language = (root: Node) => Iterable<Declaration>;

const comments = ["comment", "line_comment", "block_comment"];

/** What is written at a declaration and changes nothing of how it is used. */
const ornaments = [
  "decorator",
  "annotation",
  "marker_annotation",
  "attribute_list",
  "attribute_item",
  "inner_attribute_item",
];

/** What a signature leaves out. */
export const leftOut = [...comments, ...ornaments];

/** A part of a block, and whether a comment for users stands right above it. */
export interface Part {
  node: Node;
  documented: boolean;
}

/** The parts of a block in their order. Comments belong to what follows them without a blank line. */
export function* partsOf(block: Node, isForUsers: RegExp): Generator<Part> {
  let documented = false;
  let lastRow = -1;
  for (const node of childrenOf(block)) {
    const touches = node.startPosition.row <= lastRow + 1;
    if (comments.includes(node.type)) {
      documented = (touches && documented) || isForUsers.test(node.text);
    } else if (ornaments.includes(node.type)) {
      documented &&= touches;
    } else {
      yield { node, documented: documented && touches };
      documented = false;
    }
    lastRow = node.endPosition.row;
  }
}

export const childrenOf = (node: Node): Node[] =>
  node.namedChildren.filter((child) => child !== null);

export const childrenOfType = (node: Node, ...types: string[]): Node[] =>
  childrenOf(node).filter(({ type }) => types.includes(type));

export const field = (node: Node, name: string): Node | undefined =>
  node.childForFieldName(name) ?? undefined;

export const nameOf = (node: Node): string => field(node, "name")?.text ?? "";

/** Whether a word such as `public` stands before a declaration. */
export function hasWord(node: Node, word: string): boolean {
  for (const child of node.children) {
    if (child?.type === word) return true;
    if (child && modifiers.has(child.type)) {
      if (child.text === word || child.children.some((inner) => inner?.text === word)) return true;
    }
  }
  return false;
}

const modifiers = new Set([
  "modifiers",
  "modifier",
  "visibility_modifier",
  "accessibility_modifier",
]);
