import { extname } from "node:path";
import type { Document, DocumentChanges, MovedDocument } from "../documents/documents.ts";
import type { Notice } from "../notices/notices.ts";
import type { Steps } from "../storage/steps.ts";

/** The part of a shelf that handles changed documents. */
export interface DocumentChangeListener {
  name: string;
  onDocumentChanges(changes: DocumentChanges): Steps<Notice[]>;
  onDocumentsMoved?: ((moved: readonly MovedDocument[]) => Steps<Notice[]>) | undefined;
}

/** The changes of one transaction to the rows. */
export interface IndexDiff extends DocumentChanges {
  moved: (Document & { text: string; from: Document })[];
}

/** The notices about one root. */
interface RootNotices {
  root: string;
  notices: Notice[];
}

/**
 * Passes a diff to one shelf, root by root, because notices about a root are delivered only to
 * processes that show the root. Removals are passed first, because a path and an id must be free
 * before they are reused.
 */
export function* dispatchChanges(
  { onDocumentChanges, onDocumentsMoved }: DocumentChangeListener,
  diff: IndexDiff,
): Steps<RootNotices[]> {
  const parts = [...splitByRoot(diff, onDocumentsMoved !== undefined)];
  const [first, ...others] = parts;
  if (first && others.length === 0 && diff.moved.length === 0) {
    const [root, part] = first;
    return [{ root, notices: yield* onDocumentChanges(part) }];
  }
  const rootNotices: RootNotices[] = [];
  for (const [root, { removed }] of parts) {
    if (removed.length === 0) continue;
    const notices = yield* onDocumentChanges({ added: [], changed: [], removed });
    rootNotices.push({ root, notices });
  }
  for (const [root, { added, changed, relocated }] of parts) {
    if (relocated.length > 0 && onDocumentsMoved)
      rootNotices.push({ root, notices: yield* onDocumentsMoved(relocated) });
    if (added.length + changed.length === 0) continue;
    const notices = yield* onDocumentChanges({ added, changed, removed: [] });
    rootNotices.push({ root, notices });
  }
  return rootNotices;
}

type RootChanges = DocumentChanges & { relocated: MovedDocument[] };

/**
 * A document moved to another root becomes a removal and an addition. So does one with a new
 * extension, because its text may now be parsed differently.
 */
function splitByRoot(
  { added, changed, removed, moved }: IndexDiff,
  handlesMoves: boolean,
): Map<string, RootChanges> {
  const parts = new Map<string, RootChanges>();
  const changesOf = (root: string): RootChanges => {
    const part = parts.get(root) ?? { added: [], changed: [], removed: [], relocated: [] };
    parts.set(root, part);
    return part;
  };
  for (const document of added) changesOf(document.root).added.push(document);
  for (const document of changed) changesOf(document.root).changed.push(document);
  for (const document of removed) changesOf(document.root).removed.push(document);
  for (const { from, ...document } of moved) {
    const part = changesOf(document.root);
    const isRename = from.root === document.root && extname(from.path) === extname(document.path);
    if (handlesMoves && isRename) {
      part.relocated.push({ ...document, formerPath: from.path });
    } else {
      changesOf(from.root).removed.push(from);
      part.added.push(document);
    }
  }
  return parts;
}
