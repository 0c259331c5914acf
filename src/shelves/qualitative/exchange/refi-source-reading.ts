import type { XmlElement } from "../../../kernel/formats/xml.ts";
import type { SourceType } from "../mediapath.ts";
import { emptySource, type SourceContent } from "./content.ts";
import { attributeOf, childOf, childrenOf, keyIn, wordsIn } from "./refi-elements.ts";
import {
  readPdfSelections,
  readPictureSelections,
  readRecordingSelections,
} from "./refi-media-selections.ts";
import type { RefiReader } from "./refi-reader.ts";
import { readTextSelections, readTranscriptSelections, type Selected } from "./refi-selections.ts";

/** The sources of a project, and what others refer to in them. */
export interface ReadSources {
  all: Set<SourceContent>;
  byKey: Map<string, SourceContent>;
  /** Selections of texts by their keys. */
  selections: Map<string, Selected>;
}

const kinds: Record<string, SourceType> = {
  TextSource: "text",
  PDFSource: "pdf",
  PictureSource: "image",
  AudioSource: "audio",
  VideoSource: "video",
};

export function readSources(sources: XmlElement | undefined, reading: RefiReader): ReadSources {
  const read: ReadSources = { all: new Set(), byKey: new Map(), selections: new Map() };
  /** Texts that stand as sources, by the paths of their files. */
  const texts = new Map<string, SourceContent>();
  const elements = childrenOf(sources, ...Object.keys(kinds));
  for (const element of elements) {
    const source = readSource(element, reading);
    const path = attributeOf(element, "plainTextPath");
    if (source.kind === "text" && path !== undefined) texts.set(path, source);
    read.all.add(source);
    if (!read.byKey.has(keyIn(element))) read.byKey.set(keyIn(element), source);
    readSelectionsOf(element, source, reading, read.selections);
  }
  for (const element of elements) {
    const source = read.byKey.get(keyIn(element));
    for (const transcript of childrenOf(element, "Transcript")) {
      if (source) readTranscript(transcript, { source, texts, read, reading });
    }
  }
  return read;
}

function readSource(element: XmlElement, reading: RefiReader): SourceContent {
  const { losses } = reading;
  const kind = kinds[element.name] ?? "text";
  const name = attributeOf(element, "name") || "Untitled";
  const texts = kind === "pdf" ? childOf(element, "Representation") : element;
  const description = childOf(element, "TextDescription");
  if (description) losses.add("dropped", "Descriptions of pictures as texts", name);
  return {
    guid: reading.identify(element),
    name,
    memo: reading.memoOf(element),
    ...reading.madeBy(element),
    kind,
    text: kind === "text" || kind === "pdf" ? textOf(texts, name, reading) : null,
    file: fileOf(element, kind, name, reading),
    ...emptySource(),
    values: reading.valuesOf(element),
  };
}

/** Null where a text is spoken of and not there. */
function textOf(
  element: XmlElement | undefined,
  name: string,
  { text, losses }: RefiReader,
): string | null {
  const path = element && attributeOf(element, "plainTextPath");
  const found = path === undefined ? undefined : text(path);
  if (found !== undefined) return found;
  const inside = childOf(element, "PlainTextContent");
  if (inside) return wordsIn(inside);
  if (path !== undefined) losses.add("missing", "Texts that are not in the file", name);
  return null;
}

/** A path that leads out of the archive is never followed. */
function fileOf(
  element: XmlElement,
  kind: SourceType,
  name: string,
  { part, losses }: RefiReader,
): SourceContent["file"] {
  const path = attributeOf(element, kind === "text" ? "richTextPath" : "path");
  const place = path === undefined ? undefined : part(path);
  if (place !== undefined) return { name: withEnding(name, place), place };
  if (kind === "text") {
    if (path !== undefined)
      losses.add("missing", "Original documents that are not in the file", name);
    return null;
  }
  losses.add("missing", "Pictures, recordings and PDFs that are not in the file", name);
  return { name: withEnding(name, path ?? ""), place: undefined };
}

/** A file keeps the name of its source, with the ending that the file really has. */
function withEnding(name: string, place: string): string {
  const ending = /\.\w{1,10}$/.exec(place)?.[0] ?? "";
  return name.toLowerCase().endsWith(ending.toLowerCase()) ? name : name + ending;
}

function readSelectionsOf(
  element: XmlElement,
  source: SourceContent,
  reading: RefiReader,
  selections: Map<string, Selected>,
): void {
  const { kind } = source;
  const texts = kind === "pdf" ? childrenOf(element, "Representation") : [element];
  if (kind === "text" || kind === "pdf") {
    for (const text of texts) readTextSelections(text, source, reading, selections);
  }
  if (kind === "pdf") readPdfSelections(element, source, reading);
  if (kind === "image") readPictureSelections(element, source, reading);
  if (kind === "audio" || kind === "video") readRecordingSelections(element, source, reading);
}

/** The words of a recording are a source with us; often the file has them as one already. */
function readTranscript(
  element: XmlElement,
  {
    source,
    texts,
    read,
    reading,
  }: {
    source: SourceContent;
    texts: Map<string, SourceContent>;
    read: ReadSources;
    reading: RefiReader;
  },
): void {
  const path = attributeOf(element, "plainTextPath");
  let text = path === undefined ? undefined : texts.get(path);
  if (!text) {
    const name = attributeOf(element, "name") || `${source.name} (transcript)`;
    text = { ...readSource({ ...element, name: "TextSource" }, reading), name };
    read.all.add(text);
    if (path !== undefined) texts.set(path, text);
  }
  if (source.transcript === null) source.transcript = text.guid;
  else reading.losses.add("dropped", "Links to a second transcript", source.name);
  readTranscriptSelections(element, text, reading);
}
