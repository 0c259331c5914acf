import type { DocumentChanges } from "../../kernel/documents.ts";
import type { Notice } from "../../kernel/notices.ts";
import { sectionsOf, titleOf } from "../../text/headings.ts";
import { linesOf } from "../../text/lines.ts";
import { visible } from "../../text/visible.ts";
import type { SearchState } from "./state.ts";
import { deleteTitle, saveTitle } from "./storage.ts";
import { uriOf } from "./uri.ts";

/** Takes changed files into the index. What was known of them before is replaced. */
export function absorb({ db, index }: SearchState, changes: DocumentChanges): Notice[] {
  for (const document of [...changes.added, ...changes.changed]) {
    const lines = linesOf(document.text);
    const title = visible(titleOf(lines, document.path));
    saveTitle(db, document.id, title);
    index.put(document.id, { title, path: document.path, passages: sectionsOf(lines) });
  }
  for (const document of changes.removed) {
    deleteTitle(db, document.id);
    index.remove(document.id);
  }
  return [...changes.changed, ...changes.removed].map(({ root, path }) => ({
    topic: "resource.updated",
    about: uriOf(`${root}/${path}`),
  }));
}
