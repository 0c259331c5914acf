import { Failure, invalid } from "../../kernel/failure.ts";
import { globMatcher } from "../../text/glob.ts";
import { nearest } from "../../text/similar-names.ts";
import type { AddressPart } from "../../text/template.ts";
import { visible } from "../../text/visible.ts";
import { type ArchitectureDocument, asStep } from "./document.ts";
import { type DocumentIndex, plainQuery } from "./document-index.ts";
import { addressed, type DocumentSet, scheme } from "./document-set.ts";

/** The most that one prompt embeds. */
const mostResources = 50;
const mostBytes = 1_048_576;

/** Puts documents into one prompt, and counts what they take. */
export interface Embedding {
  /** The text that stands for an address. */
  embed(address: readonly AddressPart[], values: Readonly<Record<string, string>>): string;
}

export interface EmbeddingOptions {
  set: DocumentSet;
  index: DocumentIndex;
  /** With it, the documents nearest to these words are chosen where all are too many. */
  chooseBy: string | undefined;
}

export function openEmbedding({ set, index, chooseBy }: EmbeddingOptions): Embedding {
  let count = 0;
  let bytes = 0;

  const fits = ({ text }: Embedded): boolean =>
    count + 1 <= mostResources && bytes + Buffer.byteLength(text) <= mostBytes;

  function take(embedded: Embedded): Embedded {
    if (count + 1 > mostResources) {
      throw tooMuch(
        `resource limit exceeded: maximum ${mostResources} resources allowed per prompt`,
      );
    }
    if (!fits(embedded)) {
      throw tooMuch(`content size limit exceeded: maximum ${mostBytes} bytes allowed per prompt`);
    }
    count++;
    bytes += Buffer.byteLength(embedded.text);
    return embedded;
  }

  /** The nearest first, as long as there is room; what is left out is named. */
  function chosen(all: readonly Embedded[], words: string): string {
    const room = { count, bytes };
    try {
      return blocks(all.map(take));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      ({ count, bytes } = room);
    }
    const byDocument = new Map(all.map((one) => [one.document, one]));
    const documents = [...byDocument.keys()];
    const ranked = index
      .find(set.all, plainQuery(words), documents)
      .map(({ document }) => document);
    const taken: Embedded[] = [];
    const left: ArchitectureDocument[] = [];
    for (const document of new Set([...ranked, ...documents])) {
      const one = byDocument.get(document);
      if (one && fits(one)) taken.push(take(one));
      else left.push(document);
    }
    return [blocks(taken), leftOut(left)].join(separator);
  }

  return {
    embed(address, values) {
      const uri = uriFrom(address, values);
      if (uri === undefined) return "";
      const found = matching(set, uri);
      if (found.length > 0) {
        return chooseBy === undefined ? blocks(found.map(take)) : chosen(found, chooseBy);
      }
      // Where nothing is written yet, a prompt of ours still has something to say.
      if (chooseBy !== undefined && uri.isGlob) return "(None is documented yet.)";
      throw nothingAt(set, uri.text);
    },
  };
}

interface Embedded {
  document: ArchitectureDocument;
  text: string;
}

interface Address {
  text: string;
  isGlob: boolean;
}

/**
 * Undefined where an argument that may be missing is. A value is a name and never a pattern, nor
 * does it lead to a section.
 */
function uriFrom(
  address: readonly AddressPart[],
  values: Readonly<Record<string, string>>,
): Address | undefined {
  const isGlob = address.some((part) => part.kind === "text" && /[*?[{]/.test(part.text));
  const inNoName = isGlob ? /[\\*?[\]{}\p{Cc}]/u : /[\\\p{Cc}]/u;
  let text = "";
  for (const part of address) {
    if (part.kind === "text") {
      text += part.text;
      continue;
    }
    const value = values[part.name]?.trim() ?? "";
    if (value === "") return undefined;
    if (inNoName.test(value) || value.split("/").includes("..")) {
      throw invalid(
        `argument validation failed: argument '${part.name}': it is no name of a document`,
      );
    }
    const name = value.replace(/\.md$/i, "");
    text += isGlob ? name : asStep(name);
  }
  return { text, isGlob };
}

function matching(set: DocumentSet, { text, isGlob }: Address): Embedded[] {
  if (!isGlob) {
    const found = addressed(set, text);
    return found ? [found] : [];
  }
  if (!text.startsWith(scheme)) return [];
  const pattern = text.slice(scheme.length).replace(/\.md$/i, "");
  const isMeant = matcherOf(pattern);
  return set.all
    .filter(({ category, name }) => isMeant(`${category}/${name}`))
    .map((document) => ({ document, text: document.text }));
}

/** A star at the end takes what lies in folders below as well. */
function matcherOf(pattern: string): (path: string) => boolean {
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

const blocks = (embedded: readonly Embedded[]): string =>
  embedded
    .map(({ document, text }) => `# ${document.title}\nSource: ${document.uri}\n\n${text.trim()}`)
    .join(separator);

const mostNamed = 100;

function leftOut(documents: readonly ArchitectureDocument[]): string {
  const named = documents.slice(0, mostNamed).map(({ uri }) => `- ${uri}`);
  const more = documents.length - named.length;
  return [
    `Left out for want of room: ${documents.length}. Read them as resources if they matter.`,
    ...named,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join("\n");
}

const tooMuch = (message: string): Failure =>
  new Failure("too-large", "too-large", message, {
    hints: ["Name fewer documents in the template, by a narrower pattern."],
  });

function nothingAt(set: DocumentSet, uri: string): Failure {
  const shown = visible(uri).slice(0, 300);
  const guesses = nearest(
    uri.slice(0, 300),
    set.all.map((document) => document.uri),
  );
  return invalid(
    `no resources found matching pattern: ${shown}`,
    guesses.length > 0 ? [`Did you mean ${guesses.join(" or ")}?`] : [],
  );
}
