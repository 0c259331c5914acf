import type { Node } from "@vscode/tree-sitter-wasm";
import type { SymbolKind } from "./code-symbol.ts";

/** A public declaration with its syntax node. */
export interface Declaration {
  /** The names of its owners, followed by its own name. */
  path: readonly string[];
  kind: SymbolKind;
  node: Node;
  /**
   * The end of the signature: the body, or the value. Without it, the whole declaration is the
   * signature.
   */
  end?: Node | null | undefined;
  documented: boolean;
}

/** Finds the public declarations of a file. */
export type DeclarationFinder = (root: Node) => Iterable<Declaration>;

const commentTypes = ["comment", "line_comment", "block_comment"];

/** Annotations, which do not affect how a declaration is used. */
const annotationTypes = [
  "decorator",
  "annotation",
  "marker_annotation",
  "attribute_list",
  "attribute_item",
  "inner_attribute_item",
];

/** Nodes that are omitted from signatures. */
export const nonSignatureTypes = [...commentTypes, ...annotationTypes];

/** A node of a block, and whether a documentation comment directly precedes it. */
export interface DocumentedNode {
  node: Node;
  documented: boolean;
}

/**
 * The nodes of a block in order. A comment documents the next node if there is no blank line
 * between them.
 */
export function* documentedChildren(block: Node, docComment: RegExp): Generator<DocumentedNode> {
  let documented = false;
  let lastRow = -1;
  for (const node of childNodes(block)) {
    const isAdjacent = node.startPosition.row <= lastRow + 1;
    if (commentTypes.includes(node.type)) {
      documented = (isAdjacent && documented) || docComment.test(node.text);
    } else if (annotationTypes.includes(node.type)) {
      documented &&= isAdjacent;
    } else {
      yield { node, documented: documented && isAdjacent };
      documented = false;
    }
    lastRow = node.endPosition.row;
  }
}

export const childNodes = (node: Node): Node[] =>
  node.namedChildren.filter((child) => child !== null);

export const childNodesOfType = (node: Node, ...types: string[]): Node[] =>
  childNodes(node).filter(({ type }) => types.includes(type));

export const fieldNode = (node: Node, name: string): Node | undefined =>
  node.childForFieldName(name) ?? undefined;

export const nodeName = (node: Node): string => fieldNode(node, "name")?.text ?? "";

/** Whether a declaration has a modifier such as `public`. */
export function hasModifier(node: Node, modifier: string): boolean {
  for (const child of node.children) {
    if (child?.type === modifier) return true;
    if (child && modifierTypes.has(child.type)) {
      if (child.text === modifier || child.children.some((inner) => inner?.text === modifier))
        return true;
    }
  }
  return false;
}

const modifierTypes = new Set([
  "modifiers",
  "modifier",
  "visibility_modifier",
  "accessibility_modifier",
]);
