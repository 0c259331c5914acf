import { notFound } from "../../../kernel/failure.ts";
import { parseRecordName } from "../../../text/decisions/file-name.ts";
import { findSectionByAnchor } from "../../../text/markdown/heading-anchors.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import type { RecordSet } from "../decisions/record-set.ts";
import {
  type ArchitectureDocument,
  categoryNouns,
  type DocumentCategory,
  documentCategories,
} from "./document.ts";

/** A snapshot of all documents, in listing order. */
export interface DocumentSet {
  all: readonly ArchitectureDocument[];
  /** The decisions among them with their relations. */
  records: RecordSet;
}

export const documentsInCategory = (
  { all }: DocumentSet,
  category: DocumentCategory,
): ArchitectureDocument[] => all.filter((document) => document.category === category);

export const architectureScheme = "architecture://";

/** A document, or one section of it. */
interface AddressedText {
  document: ArchitectureDocument;
  /** The text of the document or section. */
  text: string;
}

/**
 * Resolves a URI. Addresses are compared with the known documents and never turned into paths, so
 * nothing outside can be reached.
 */
export function resolveAddress(set: DocumentSet, uri: string): AddressedText | undefined {
  const parts = parseAddress(uri);
  const document = parts && matchDocument(documentsInCategory(set, parts.category), parts.name);
  if (!document) return undefined;
  if (parts.anchor === "") return { document, text: document.text };
  const section = findSectionByAnchor(document.lines, parts.anchor);
  if (!section) return undefined;
  const lines = document.lines.slice(section.line - 1, section.line - 1 + section.count);
  return { document, text: lines.join("\n") };
}

interface AddressParts {
  category: DocumentCategory;
  name: string;
  anchor: string;
}

const maxUriLength = 4_096;

/** Decodes percent-escapes once; undefined if the URI is not a document address. */
function parseAddress(uri: string): AddressParts | undefined {
  if (!uri.startsWith(architectureScheme) || uri.length > maxUriLength) return undefined;
  const rest = uri.slice(architectureScheme.length);
  const hash = rest.indexOf("#");
  const path = decodeOnce(hash < 0 ? rest : rest.slice(0, hash));
  const anchor = hash < 0 ? "" : decodeOnce(rest.slice(hash + 1));
  if (path === undefined || anchor === undefined || /[\\\p{Cc}]/u.test(path)) return undefined;
  const [kind, ...steps] = path.split("/");
  const category = documentCategories.find((known) => known === kind);
  const isValidStep = (step: string): boolean => step !== "" && step !== "." && step !== "..";
  if (!category || steps.length === 0 || !steps.every(isValidStep)) return undefined;
  return { category, name: steps.join("/"), anchor };
}

function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The document that a name identifies: exactly, with the extension, case-insensitively, with spaces
 * for hyphens, or a decision by its number. The most exact kind of match wins; several matches of
 * that kind give none.
 */
function matchDocument(
  documents: readonly ArchitectureDocument[],
  text: string,
): ArchitectureDocument | undefined {
  const folded = foldName(text);
  const bare = folded.replace(/\.md$/, "");
  const number = /^(?:adr[-_ ]?)?(\d{1,9})$/.exec(bare)?.[1];
  const matchers: ((document: ArchitectureDocument) => boolean)[] = [
    ({ name }) => name === text,
    ({ name }) => name === text.replace(/\.md$/i, ""),
    ({ name }) => foldName(name) === folded,
    ({ name }) => foldName(name) === bare,
    ({ name }) => foldName(name) === bare.trim().replace(/\s+/g, "-"),
    ({ category, name }) =>
      category === "adr" && number !== undefined && parseRecordName(name).number === Number(number),
  ];
  for (const matches of matchers) {
    const [found, ...others] = documents.filter(matches);
    if (found) return others.length === 0 ? found : undefined;
  }
  return undefined;
}

const foldName = (name: string): string => name.normalize().toLowerCase();

/**
 * Finds a document by a tool's argument: a name, a name without its folders, or a URI. Throws with
 * the most similar names if there is none.
 */
export function findDocument(
  set: DocumentSet,
  category: DocumentCategory,
  reference: string,
): ArchitectureDocument {
  const documents = documentsInCategory(set, category);
  const parts = reference.startsWith(architectureScheme) ? parseAddress(reference) : undefined;
  const name = parts?.category === category ? parts.name : reference.trim();
  const found = matchDocument(documents, name) ?? matchByLastSegment(documents, name);
  if (found) return found;
  const noun = categoryNouns[category];
  const names = documents.map((document) => document.name);
  const guesses = similarNames(name.slice(0, 200), names).map(toPrintable);
  const hint =
    guesses.length > 0
      ? `Did you mean ${guesses.join(" or ")}?`
      : names.length > 0
        ? `Known: ${names.slice(0, 20).map(toPrintable).join(", ")}.`
        : `The project has no ${noun}: they are read from mcp/resources/${category}.`;
  throw notFound(`There is no ${noun} '${toPrintable(reference).slice(0, 200)}'.`, [hint]);
}

function matchByLastSegment(documents: readonly ArchitectureDocument[], name: string) {
  const byLastSegment = documents.map((document) => ({
    ...document,
    name: document.name.slice(document.name.lastIndexOf("/") + 1),
  }));
  const found = matchDocument(byLastSegment, name);
  return documents.find(({ uri }) => uri === found?.uri);
}
