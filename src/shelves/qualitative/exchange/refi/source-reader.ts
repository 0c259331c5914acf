import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import type { SourceType } from "../../sources/media-path.ts";
import { emptySourceContent, type SourceContent } from "../content.ts";
import {
  childElement,
  childElements,
  elementAttribute,
  elementKey,
  elementText,
} from "./elements.ts";
import {
  readPdfSelections,
  readPictureSelections,
  readRecordingSelections,
} from "./media-selections.ts";
import type { RefiReadContext } from "./read-context.ts";
import {
  readTextSelections,
  readTranscriptSelections,
  type TextSelection,
} from "./text-selections.ts";

/** The sources of a project, and the selections that other elements refer to. */
export interface RefiSources {
  all: Set<SourceContent>;
  byKey: Map<string, SourceContent>;
  /** Text selections by key. */
  selections: Map<string, TextSelection>;
}

const sourceTypesByElement: Record<string, SourceType> = {
  TextSource: "text",
  PDFSource: "pdf",
  PictureSource: "image",
  AudioSource: "audio",
  VideoSource: "video",
};

export function readRefiSources(
  sources: XmlElement | undefined,
  context: RefiReadContext,
): RefiSources {
  const read: RefiSources = { all: new Set(), byKey: new Map(), selections: new Map() };
  /** Text sources by file path. */
  const texts = new Map<string, SourceContent>();
  const elements = childElements(sources, ...Object.keys(sourceTypesByElement));
  for (const element of elements) {
    const source = readSource(element, context);
    const path = elementAttribute(element, "plainTextPath");
    if (source.kind === "text" && path !== undefined) texts.set(path, source);
    read.all.add(source);
    if (!read.byKey.has(elementKey(element))) read.byKey.set(elementKey(element), source);
    readSelectionsOf(element, source, context, read.selections);
  }
  for (const element of elements) {
    const source = read.byKey.get(elementKey(element));
    for (const transcript of childElements(element, "Transcript")) {
      if (source) readTranscript(transcript, { source, texts, read, reading: context });
    }
  }
  return read;
}

function readSource(element: XmlElement, context: RefiReadContext): SourceContent {
  const { losses } = context;
  const kind = sourceTypesByElement[element.name] ?? "text";
  const name = elementAttribute(element, "name") || "Untitled";
  const texts = kind === "pdf" ? childElement(element, "Representation") : element;
  const description = childElement(element, "TextDescription");
  if (description) losses.add("dropped", "Descriptions of pictures as texts", name);
  return {
    guid: context.identify(element),
    name,
    memo: context.memoOf(element),
    ...context.authorshipOf(element),
    kind,
    text: kind === "text" || kind === "pdf" ? readText(texts, name, context) : null,
    file: readFile(element, kind, name, context),
    ...emptySourceContent(),
    values: context.valuesOf(element),
  };
}

/** Null if the text is referenced but missing. */
function readText(
  element: XmlElement | undefined,
  name: string,
  { text, losses }: RefiReadContext,
): string | null {
  const path = element && elementAttribute(element, "plainTextPath");
  const content = path === undefined ? undefined : text(path);
  if (content !== undefined) return content;
  const inside = childElement(element, "PlainTextContent");
  if (inside) return elementText(inside);
  if (path !== undefined) losses.add("missing", "Texts that are not in the file", name);
  return null;
}

/** Paths outside the archive are ignored. */
function readFile(
  element: XmlElement,
  kind: SourceType,
  name: string,
  { part, losses }: RefiReadContext,
): SourceContent["file"] {
  const path = elementAttribute(element, kind === "text" ? "richTextPath" : "path");
  const location = path === undefined ? undefined : part(path);
  if (location !== undefined) return { name: withExtension(name, location), location };
  if (kind === "text") {
    if (path !== undefined)
      losses.add("missing", "Original documents that are not in the file", name);
    return null;
  }
  losses.add("missing", "Pictures, recordings and PDFs that are not in the file", name);
  return { name: withExtension(name, path ?? ""), location: undefined };
}

/** Gives a file the name of its source with the file's real extension. */
function withExtension(name: string, fileName: string): string {
  const ending = /\.\w{1,10}$/.exec(fileName)?.[0] ?? "";
  return name.toLowerCase().endsWith(ending.toLowerCase()) ? name : name + ending;
}

function readSelectionsOf(
  element: XmlElement,
  source: SourceContent,
  context: RefiReadContext,
  selections: Map<string, TextSelection>,
): void {
  const { kind } = source;
  const texts = kind === "pdf" ? childElements(element, "Representation") : [element];
  if (kind === "text" || kind === "pdf") {
    for (const text of texts) readTextSelections(text, source, context, selections);
  }
  if (kind === "pdf") readPdfSelections(element, source, context);
  if (kind === "image") readPictureSelections(element, source, context);
  if (kind === "audio" || kind === "video") readRecordingSelections(element, source, context);
}

/** A transcript becomes a source, unless the file already contains the same text as a source. */
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
    read: RefiSources;
    reading: RefiReadContext;
  },
): void {
  const path = elementAttribute(element, "plainTextPath");
  let text = path === undefined ? undefined : texts.get(path);
  if (!text) {
    const name = elementAttribute(element, "name") || `${source.name} (transcript)`;
    text = { ...readSource({ ...element, name: "TextSource" }, reading), name };
    read.all.add(text);
    if (path !== undefined) texts.set(path, text);
  }
  if (source.transcript === null) source.transcript = text.guid;
  else reading.losses.add("dropped", "Links to a second transcript", source.name);
  readTranscriptSelections(element, text, reading);
}
