import { extname } from "node:path";
import type { Document, DocumentChanges, MovedDocument } from "./documents.ts";
import type { Notice } from "./notices.ts";

/** A shelf, as far as changed files are its concern. */
export interface Absorber {
  name: string;
  absorb(changes: DocumentChanges): Notice[];
  relocate?: ((moved: readonly MovedDocument[]) => Notice[]) | undefined;
}

/** All that one transaction does to the rows. */
export interface Diff extends DocumentChanges {
  moved: (Document & { text: string; from: Document })[];
}

/** What is to be told of one root. */
interface Told {
  root: string;
  notices: Notice[];
}

/**
 * Hands a diff to one shelf, root by root, because what is told of a root is told only where it is
 * shown. What leaves comes first: a place must be free, and an id too, before it is taken again.
 */
export function handOver({ absorb, relocate }: Absorber, diff: Diff): Told[] {
  const parts = [...partsOf(diff, relocate !== undefined)];
  const isPlain = parts.length === 1 && diff.moved.length === 0;
  if (isPlain) return parts.map(([root, part]) => ({ root, notices: absorb(part) }));
  const told: Told[] = [];
  for (const [root, { removed }] of parts) {
    if (removed.length === 0) continue;
    told.push({ root, notices: absorb({ added: [], changed: [], removed }) });
  }
  for (const [root, { added, changed, relocated }] of parts) {
    if (relocated.length > 0) told.push({ root, notices: relocate?.(relocated) ?? [] });
    if (added.length + changed.length === 0) continue;
    told.push({ root, notices: absorb({ added, changed, removed: [] }) });
  }
  return told;
}

type Part = DocumentChanges & { relocated: MovedDocument[] };

/**
 * A document that went to another root has left the one and come to the other. One whose ending
 * changed may be read in another way, so what is known of its text does not hold.
 */
function partsOf({ added, changed, removed, moved }: Diff, knowsMoves: boolean): Map<string, Part> {
  const parts = new Map<string, Part>();
  const partOf = (root: string): Part => {
    const part = parts.get(root) ?? { added: [], changed: [], removed: [], relocated: [] };
    parts.set(root, part);
    return part;
  };
  for (const document of added) partOf(document.root).added.push(document);
  for (const document of changed) partOf(document.root).changed.push(document);
  for (const document of removed) partOf(document.root).removed.push(document);
  for (const { from, ...document } of moved) {
    const part = partOf(document.root);
    const isAsBefore = from.root === document.root && extname(from.path) === extname(document.path);
    if (knowsMoves && isAsBefore) {
      part.relocated.push({ ...document, formerPath: from.path });
    } else {
      partOf(from.root).removed.push(from);
      part.added.push(document);
    }
  }
  return parts;
}
