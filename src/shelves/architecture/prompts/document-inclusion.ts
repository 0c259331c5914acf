import { Failure, invalid } from "../../../kernel/failure.ts";
import type { AddressPart } from "../../../text/formats/prompt-template.ts";
import { globMatcher } from "../../../text/patterns/glob.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import { type ArchitectureDocument, escapeDocumentName } from "../knowledge/document.ts";
import { type DocumentIndex, plainTextQuery } from "../knowledge/document-index.ts";
import { architectureScheme, type DocumentSet, resolveAddress } from "../knowledge/document-set.ts";

/** Limits for the documents embedded in one prompt. */
const maxResources = 50;
const maxBytes = 1_048_576;

/** Embeds documents in one prompt and enforces its limits. */
export interface DocumentInclusion {
  /** The text that replaces an address in the template. */
  include(address: readonly AddressPart[], values: Readonly<Record<string, string>>): string;
}

export interface InclusionOptions {
  set: DocumentSet;
  index: DocumentIndex;
  /** If set, the documents closest to this text are chosen when all of them are too many. */
  chooseBy: string | undefined;
}

export function createDocumentInclusion({
  set,
  index,
  chooseBy,
}: InclusionOptions): DocumentInclusion {
  let count = 0;
  let bytes = 0;

  const fits = ({ text }: IncludedText): boolean =>
    count + 1 <= maxResources && bytes + Buffer.byteLength(text) <= maxBytes;

  function addOrThrow(embedded: IncludedText): IncludedText {
    if (count + 1 > maxResources) {
      throw limitExceeded(
        `resource limit exceeded: maximum ${maxResources} resources allowed per prompt`,
      );
    }
    if (!fits(embedded)) {
      throw limitExceeded(
        `content size limit exceeded: maximum ${maxBytes} bytes allowed per prompt`,
      );
    }
    count++;
    bytes += Buffer.byteLength(embedded.text);
    return embedded;
  }

  /** Includes the closest documents until the limits are reached, and lists the omitted ones. */
  function includeNearest(all: readonly IncludedText[], text: string): string {
    const saved = { count, bytes };
    try {
      return formatBlocks(all.map(addOrThrow));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      ({ count, bytes } = saved);
    }
    const byDocument = new Map(all.map((candidate) => [candidate.document, candidate]));
    const documents = [...byDocument.keys()];
    const ranked = index
      .search(set.all, plainTextQuery(text), documents)
      .map(({ document }) => document);
    const included: IncludedText[] = [];
    const omitted: ArchitectureDocument[] = [];
    for (const document of new Set([...ranked, ...documents])) {
      const candidate = byDocument.get(document);
      if (candidate && fits(candidate)) included.push(addOrThrow(candidate));
      else omitted.push(document);
    }
    return [formatBlocks(included), formatLeftOut(omitted)].join(separator);
  }

  return {
    include(address, values) {
      const uri = resolveTemplateUri(address, values);
      if (uri === undefined) return "";
      const matching = findMatching(set, uri);
      if (matching.length > 0) {
        return chooseBy === undefined
          ? formatBlocks(matching.map(addOrThrow))
          : includeNearest(matching, chooseBy);
      }
      // A built-in prompt also works in a project without documents.
      if (chooseBy !== undefined && uri.isGlob) return "(No documents yet.)";
      throw noResourceFound(set, uri.text);
    },
  };
}

interface IncludedText {
  document: ArchitectureDocument;
  text: string;
}

interface Address {
  text: string;
  isGlob: boolean;
}

/**
 * Undefined if an optional argument is missing. A value is a name: it can contain neither a pattern
 * nor an anchor.
 */
function resolveTemplateUri(
  address: readonly AddressPart[],
  values: Readonly<Record<string, string>>,
): Address | undefined {
  const isGlob = address.some((part) => part.kind === "text" && /[*?[{]/.test(part.text));
  const invalidCharacters = isGlob ? /[\\*?[\]{}\p{Cc}]/u : /[\\\p{Cc}]/u;
  let text = "";
  for (const part of address) {
    if (part.kind === "text") {
      text += part.text;
      continue;
    }
    const value = values[part.name]?.trim() ?? "";
    if (value === "") return undefined;
    if (invalidCharacters.test(value) || value.split("/").includes("..")) {
      throw invalid(
        `argument validation failed: argument '${part.name}': it is not a document name`,
      );
    }
    const name = value.replace(/\.md$/i, "");
    text += isGlob ? name : escapeDocumentName(name);
  }
  return { text, isGlob };
}

function findMatching(set: DocumentSet, { text, isGlob }: Address): IncludedText[] {
  if (!isGlob) {
    const found = resolveAddress(set, text);
    return found ? [found] : [];
  }
  if (!text.startsWith(architectureScheme)) return [];
  const pattern = text.slice(architectureScheme.length).replace(/\.md$/i, "");
  const matches = createMatcher(pattern);
  return set.all
    .filter(({ category, name }) => matches(`${category}/${name}`))
    .map((document) => ({ document, text: document.text }));
}

/** A trailing star also matches documents in subfolders. */
function createMatcher(pattern: string): (path: string) => boolean {
  const start = pattern.slice(0, -1);
  if (/(^|\/)\*$/.test(pattern) && !/[*?[{]/.test(start)) return (path) => path.startsWith(start);
  try {
    return globMatcher(pattern);
  } catch (error) {
    if (error instanceof RangeError) throw invalid(error.message);
    throw error;
  }
}

const separator = "\n\n---\n\n";

const formatBlocks = (embedded: readonly IncludedText[]): string =>
  embedded
    .map(({ document, text }) => `# ${document.title}\nSource: ${document.uri}\n\n${text.trim()}`)
    .join(separator);

const maxNamed = 100;

function formatLeftOut(documents: readonly ArchitectureDocument[]): string {
  const named = documents.slice(0, maxNamed).map(({ uri }) => `- ${uri}`);
  const more = documents.length - named.length;
  return [
    `Omitted because of the size limit: ${documents.length}. Read them as resources if needed.`,
    ...named,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join("\n");
}

const limitExceeded = (message: string): Failure =>
  new Failure("too-large", "too-large", message, {
    hints: ["Use a narrower pattern in the template to include fewer documents."],
  });

function noResourceFound(set: DocumentSet, uri: string): Failure {
  const shown = toPrintable(uri).slice(0, 300);
  const guesses = similarNames(
    uri.slice(0, 300),
    set.all.map((document) => document.uri),
  );
  return invalid(
    `no resources found matching pattern: ${shown}`,
    guesses.length > 0 ? [`Did you mean ${guesses.join(" or ")}?`] : [],
  );
}
