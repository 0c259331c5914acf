import { type Failure, invalid } from "../../../kernel/failure.ts";
import type { Note } from "../../../kernel/operations/note.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import { findDocumentsByLanguage, listDocumentPaths } from "../storage.ts";
import { countLanguages, countValues, hasFacetKey, listFacetKeys } from "../storage-facets.ts";
import { findDocumentsByFact, isTagKey } from "../storage-facts.ts";
import { fileExtensionOf, parseCondition, type SearchFilters } from "./filters.ts";

/** The maximum number of keys or values listed in a message. */
const maxNamed = 12;

/**
 * Rejects a filter on a key that no document has, and adds a note on conditions that no document
 * matches. Both list the known names, so that a typing error does not look like an empty result.
 */
export function* checkFilters(filters: SearchFilters): Steps<Note[]> {
  const conditions = (filters.filter ?? []).map((condition, index) =>
    parseCondition(condition, `filter.${index}`),
  );
  for (const { key } of conditions) {
    // Tags may also be in the text, so their key is always known.
    if (!isTagKey(key) && !(yield* hasFacetKey(key))) throw yield* unknownKey(key);
  }
  const notes: Note[] = [];
  for (const condition of conditions) {
    if ((yield* findDocumentsByFact(condition)).length > 0) continue;
    const { key, operator, values } = condition;
    const known = (yield* countValues(undefined, key, maxNamed)).map(({ value }) => value);
    const shown = [key, operator, values.join(", ")].join(" ");
    notes.push(unmatched(`the filter '${shown}'`, key, known, `Values of '${key}'`));
  }
  notes.push(...(yield* typeNotes(filters.type)));
  notes.push(...(yield* languageNotes(filters.language)));
  return notes;
}

function* typeNotes(type: string | undefined): Steps<Note[]> {
  if (type === undefined) return [];
  const known = [...new Set((yield* listDocumentPaths()).map(({ path }) => fileExtensionOf(path)))];
  if (known.includes(type.replace(/^\./, "").toLowerCase())) return [];
  const named = known.filter(Boolean).sort().slice(0, maxNamed);
  return [unmatched(`the type '${type}'`, "type", named, "Types")];
}

function* languageNotes(language: string | undefined): Steps<Note[]> {
  if (language === undefined) return [];
  if ((yield* findDocumentsByLanguage(language.toLowerCase())).length > 0) return [];
  const known = (yield* countLanguages(undefined)).map(({ value }) => value);
  return [
    unmatched(`the language '${language}'`, "language", known.slice(0, maxNamed), "Languages"),
  ];
}

const unmatched = (what: string, key: string, known: readonly string[], label: string): Note => ({
  kind: "filter",
  message: `No document matches ${what}.${known.length > 0 ? ` ${label}: ${known.join(", ")}.` : ""}`,
  key,
  known: [...known],
});

function* unknownKey(key: string): Steps<Failure> {
  const known = yield* listFacetKeys();
  const [guess] = similarNames(key, known, 1);
  const named = known.slice(0, maxNamed);
  const more = known.length > named.length ? `, and ${known.length - named.length} more` : "";
  return invalid(`Unknown filter key '${key}': no document has it.`, [
    ...(guess === undefined ? [] : [`Did you mean '${guess}'?`]),
    known.length > 0 ? `Known keys: ${named.join(", ")}${more}.` : "No document has front matter.",
  ]);
}
