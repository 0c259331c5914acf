import type { DocumentChanges } from "../../kernel/documents.ts";
import type { Notice } from "../../kernel/notices.ts";
import { type Fact, factsOf } from "../../text/frontmatter.ts";
import { sectionsOf, titleOf } from "../../text/headings.ts";
import { linesOf } from "../../text/lines.ts";
import { visible } from "../../text/visible.ts";
import { languageOf } from "../../text/written-language.ts";
import { targetsIn } from "./links.ts";
import type { SearchState } from "./state.ts";
import { type About, deleteAbout, saveAbout } from "./storage.ts";
import { deleteChunks } from "./storage-chunks.ts";
import { uriOf } from "./uri.ts";

/** Takes changed files into the index. What was known of them before is replaced. */
export function absorb({ db, index }: SearchState, changes: DocumentChanges): Notice[] {
  index.change(({ put, remove }) => {
    deleteAbout(
      db,
      changes.removed.map(({ id }) => id),
    );
    for (const document of changes.removed) remove(document.id);
    deleteChunks(
      db,
      [...changes.removed, ...changes.changed].map(({ id }) => id),
    );
    const abouts: About[] = [];
    for (const document of [...changes.added, ...changes.changed]) {
      const lines = linesOf(document.text);
      const facts = factsOf(lines);
      const title = visible(titleOf(lines, document.path, facts));
      abouts.push({
        document: document.id,
        title,
        date: dateIn(facts),
        language: languageIn(facts) ?? languageOf(lines),
        facts,
        targets: targetsIn(document.text, document.path),
      });
      put(document.id, { title, path: document.path, passages: sectionsOf(lines) });
    }
    saveAbout(db, abouts);
  });
  return [...changes.changed, ...changes.removed].map(({ root, path }) => ({
    topic: "resource.updated",
    about: uriOf(`${root}/${path}`),
  }));
}

/** Under which names people write down the day of a document, the most telling first. */
const dateKeys = ["date", "updated", "modified", "created", "published"];

function dateIn(facts: readonly Fact[]): number | undefined {
  for (const wanted of dateKeys) {
    const written = facts.find(({ key }) => key.toLowerCase() === wanted)?.value ?? "";
    const time = /^\d{4}-\d{2}/.test(written) ? Date.parse(written) : Number.NaN;
    if (!Number.isNaN(time)) return time;
  }
  return undefined;
}

/** `lang: de`, `language: de-AT`: the author knows best. */
function languageIn(facts: readonly Fact[]): string | undefined {
  const written = facts.find(({ key }) => /^lang(?:uage)?$/i.test(key))?.value;
  return /^([a-z]{2})(?:[-_]|$)/i.exec(written ?? "")?.[1]?.toLowerCase();
}
