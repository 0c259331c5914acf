import { notFound } from "../../kernel/failure.ts";
import { sectionAt } from "../../text/anchors.ts";
import { readName } from "../../text/decisions/file-name.ts";
import { nearest } from "../../text/similar-names.ts";
import { visible } from "../../text/visible.ts";
import { type ArchitectureDocument, type Category, categories, nounOf } from "./document.ts";
import type { RecordSet } from "./record-set.ts";

/** All documents as their files are now, in the order of every list. */
export interface DocumentSet {
  all: readonly ArchitectureDocument[];
  /** What the decisions among them say of one another. */
  records: RecordSet;
}

export const documentsOf = ({ all }: DocumentSet, category: Category): ArchitectureDocument[] =>
  all.filter((document) => document.category === category);

export const scheme = "architecture://";

/** A document, or one section of it. */
interface Addressed {
  document: ArchitectureDocument;
  /** The text that the address names. */
  text: string;
}

/**
 * What a URI names. Addresses are compared with what was found, and no path is made of them: there
 * is nothing outside that could be reached.
 */
export function addressed(set: DocumentSet, uri: string): Addressed | undefined {
  const parts = partsOf(uri);
  const document = parts && documentCalled(documentsOf(set, parts.category), parts.name);
  if (!document) return undefined;
  if (parts.anchor === "") return { document, text: document.text };
  const stretch = sectionAt(document.lines, parts.anchor);
  if (!stretch) return undefined;
  const lines = document.lines.slice(stretch.line - 1, stretch.line - 1 + stretch.count);
  return { document, text: lines.join("\n") };
}

interface Parts {
  category: Category;
  name: string;
  anchor: string;
}

const longestUri = 4_096;

/** Decoded once; undefined for what is no address of ours. */
function partsOf(uri: string): Parts | undefined {
  if (!uri.startsWith(scheme) || uri.length > longestUri) return undefined;
  const rest = uri.slice(scheme.length);
  const hash = rest.indexOf("#");
  const path = decoded(hash < 0 ? rest : rest.slice(0, hash));
  const anchor = hash < 0 ? "" : decoded(rest.slice(hash + 1));
  if (path === undefined || anchor === undefined || /[\\\p{Cc}]/u.test(path)) return undefined;
  const [kind, ...steps] = path.split("/");
  const category = categories.find((known) => known === kind);
  const isName = (step: string): boolean => step !== "" && step !== "." && step !== "..";
  if (!category || steps.length === 0 || !steps.every(isName)) return undefined;
  return { category, name: steps.join("/"), anchor };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The one document that a name means: as listed, with the ending, in other letters, with spaces
 * for hyphens, or a decision by its number. The most exact way that fits anything decides, and of
 * several that fit none is taken.
 */
function documentCalled(
  documents: readonly ArchitectureDocument[],
  given: string,
): ArchitectureDocument | undefined {
  const wanted = folded(given);
  const bare = wanted.replace(/\.md$/, "");
  const number = /^(?:adr[-_ ]?)?(\d{1,9})$/.exec(bare)?.[1];
  const ways: ((document: ArchitectureDocument) => boolean)[] = [
    ({ name }) => name === given,
    ({ name }) => name === given.replace(/\.md$/i, ""),
    ({ name }) => folded(name) === wanted,
    ({ name }) => folded(name) === bare,
    ({ name }) => folded(name) === bare.trim().replace(/\s+/g, "-"),
    ({ category, name }) =>
      category === "adr" && number !== undefined && readName(name).number === Number(number),
  ];
  for (const fits of ways) {
    const [found, ...others] = documents.filter(fits);
    if (found) return others.length === 0 ? found : undefined;
  }
  return undefined;
}

const folded = (name: string): string => name.normalize().toLowerCase();

/**
 * The same for a tool's argument: a name, a name without the folders above it, or a whole URI; a
 * failure that tells the nearest names where there is none.
 */
export function documentNamed(
  set: DocumentSet,
  category: Category,
  given: string,
): ArchitectureDocument {
  const documents = documentsOf(set, category);
  const parts = given.startsWith(scheme) ? partsOf(given) : undefined;
  const name = parts?.category === category ? parts.name : given.trim();
  const found = documentCalled(documents, name) ?? onlyInFolders(documents, name);
  if (found) return found;
  const noun = nounOf[category];
  const names = documents.map((document) => document.name);
  const guesses = nearest(name.slice(0, 200), names).map(visible);
  const hint =
    guesses.length > 0
      ? `Did you mean ${guesses.join(" or ")}?`
      : names.length > 0
        ? `There are ${names.slice(0, 20).map(visible).join(", ")}.`
        : `There is no ${noun} at all: they lie in mcp/resources/${category}.`;
  throw notFound(`There is no ${noun} '${visible(given).slice(0, 200)}'.`, [hint]);
}

function onlyInFolders(documents: readonly ArchitectureDocument[], name: string) {
  const lastSteps = documents.map((document) => ({
    ...document,
    name: document.name.slice(document.name.lastIndexOf("/") + 1),
  }));
  const found = documentCalled(lastSteps, name);
  return documents.find(({ uri }) => uri === found?.uri);
}
