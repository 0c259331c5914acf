import type { DocumentChanges } from "../../../kernel/documents/documents.ts";
import type { Notice } from "../../../kernel/notices/notices.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { documentLanguageOf } from "../../../text/language/document-language.ts";
import type { FrontmatterFact } from "../../../text/markdown/frontmatter.ts";
import { documentTitle, splitSections } from "../../../text/markdown/headings.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { documentUri } from "../documents/document-uri.ts";
import { findLinkTargets } from "../documents/link-targets.ts";
import type { SearchState } from "../state.ts";
import { type DocumentMetadata, deleteMetadata, saveMetadata } from "../storage.ts";
import { deleteChunks } from "../storage-chunks.ts";
import { aliasesOf, readDocumentFacts } from "./document-facts.ts";

/** Updates the index after document changes. */
export function* indexDocumentChanges(
  { index }: Pick<SearchState, "index">,
  changes: DocumentChanges,
): Steps<Notice[]> {
  yield* deleteMetadata(changes.removed.map(({ id }) => id));
  yield* deleteChunks([...changes.removed, ...changes.changed].map(({ id }) => id));
  const metadata: DocumentMetadata[] = [];
  yield* index.change(({ put, remove }) => {
    for (const document of changes.removed) remove(document.id);
    for (const document of [...changes.added, ...changes.changed]) {
      const lines = splitLines(document.text);
      const facts = readDocumentFacts(lines, document.path);
      const title = toPrintable(documentTitle(lines, document.path, facts));
      metadata.push({
        document: document.id,
        title,
        date: readDate(facts),
        language: readDeclaredLanguage(facts) ?? documentLanguageOf(lines),
        facts,
        targets: findLinkTargets(document.text, document.path),
      });
      // A search finds a document by its aliases as by its title.
      const titles = [title, ...aliasesOf(facts).map(toPrintable)].join("\n");
      put(document.id, { title: titles, path: document.path, passages: splitSections(lines) });
    }
  });
  yield* saveMetadata(metadata);
  return [...changes.changed, ...changes.removed].map(({ root, path }) => ({
    topic: "resource.updated",
    about: documentUri(`${root}/${path}`),
  }));
}

/** Front matter keys for the date of a document, in order of preference. */
const dateKeys = ["date", "updated", "modified", "created", "published"];

function readDate(facts: readonly FrontmatterFact[]): number | undefined {
  for (const wanted of dateKeys) {
    const value = facts.find(({ key }) => key.toLowerCase() === wanted)?.value ?? "";
    const time = /^\d{4}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(time)) return time;
  }
  return undefined;
}

/** The language in the front matter (`lang: de`, `language: de-AT`), which overrides detection. */
function readDeclaredLanguage(facts: readonly FrontmatterFact[]): string | undefined {
  const value = facts.find(({ key }) => /^lang(?:uage)?$/i.test(key))?.value;
  return /^([a-z]{2})(?:[-_]|$)/i.exec(value ?? "")?.[1]?.toLowerCase();
}
