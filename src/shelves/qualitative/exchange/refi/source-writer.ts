import { type CodePointOffsets, codePointOffsets } from "../../../../text/spans/offsets.ts";
import type { SourceContent } from "../content.ts";
import { derivedGuid } from "../guid.ts";
import {
  hasWordDocument,
  mediaFileName,
  type RefiWriter,
  representationGuid,
  textFileName,
} from "./writer.ts";

/** A source with its selections, in the order that the standard requires for its type. */
export function renderSource(writer: RefiWriter, source: SourceContent): string {
  const { guid, name, memo } = source;
  const attributes = { guid, name, ...writer.authorAttributes(source) };
  const media = { ...attributes, path: `internal://${mediaFileName(source)}` };
  const description = writer.textElement("Description", memo);
  const values = writer.values(source.values);
  switch (source.kind) {
    case "text":
      return writer.element("TextSource", textAttributes(source, attributes), [
        ...description,
        ...renderTextSelections(writer, source),
        ...values,
      ]);
    case "pdf":
      return writer.element("PDFSource", media, [
        ...description,
        ...renderRepresentation(writer, source),
        ...values,
      ]);
    case "image":
      return writer.element("PictureSource", media, [
        ...description,
        ...renderAreas(writer, source),
        ...values,
      ]);
    case "audio":
    case "video": {
      const kind = source.kind === "audio" ? "Audio" : "Video";
      return writer.element(`${kind}Source`, media, [
        ...description,
        ...renderTranscript(writer, source),
        ...renderMediaRanges(writer, `${kind}Selection`, source),
        ...values,
      ]);
    }
  }
}

const textAttributes = (source: SourceContent, attributes: Record<string, string | undefined>) => ({
  ...attributes,
  ...(hasWordDocument(source) && { richTextPath: `internal://${mediaFileName(source)}` }),
  plainTextPath: `internal://${textFileName(source.guid)}`,
});

function renderRepresentation(writer: RefiWriter, source: SourceContent): string[] {
  if (source.text === null) return [];
  const guid = representationGuid(source);
  const attributes = { guid, name: source.name, plainTextPath: `internal://${textFileName(guid)}` };
  return [writer.element("Representation", attributes, renderTextSelections(writer, source))];
}

/** The standard nests a transcript in its recording; it is also exported as a separate source. */
function renderTranscript(writer: RefiWriter, source: SourceContent): string[] {
  const text = writer.transcriptOf(source);
  if (!text) return [];
  const plainTextPath = `internal://${textFileName(text.guid)}`;
  const guid = derivedGuid("transcript", source.guid);
  return [writer.element("Transcript", { guid, name: text.name, plainTextPath })];
}

/** Each coding gets its own selection, whose description is the coding's memo. */
function renderTextSelections(writer: RefiWriter, source: SourceContent): string[] {
  const offsets = codePointOffsets(source.text ?? "");
  const selection = (
    { guid, start, end }: { guid: string; start: number; end: number },
    authorship: ReturnType<RefiWriter["authorAttributes"]>,
    children: readonly string[],
  ): string =>
    writer.element(
      "PlainTextSelection",
      {
        guid,
        name: selectionTitleOf(offsets, start, end),
        startPosition: start,
        endPosition: end,
        ...authorship,
      },
      children,
    );
  return [
    ...source.passages.map((passage) =>
      selection({ ...passage, guid: selectionGuid(passage) }, writer.authorAttributes(passage), [
        ...writer.textElement("Description", passage.memo),
        renderCoding(writer, passage),
      ]),
    ),
    ...source.annotations.map((annotation) =>
      selection(
        annotation,
        writer.authorAttributes(annotation),
        writer.textElement("Description", annotation.memo),
      ),
    ),
    ...writer.casePassagesIn(source).map((passage) => selection(passage, {}, [])),
  ];
}

/** The start of the passage, with which a reader can find it if the positions are wrong. */
const selectionTitleOf = (
  offsets: CodePointOffsets,
  start: number,
  end: number,
): string | undefined =>
  offsets
    .slice(start, Math.min(end, start + 100))
    .replace(/\s+/g, " ")
    .trim() || undefined;

type Coding = SourceContent["passages" | "areas" | "mediaRanges"][number];

const selectionGuid = ({ guid }: Coding): string => derivedGuid("selection", guid);

const renderCoding = (writer: RefiWriter, coding: Coding): string =>
  writer.element("Coding", { guid: coding.guid, ...writer.authorAttributes(coding) }, [
    writer.element("CodeRef", { targetGUID: coding.code }),
  ]);

function renderAreas(writer: RefiWriter, { areas }: SourceContent): string[] {
  return areas.map((area) =>
    writer.element(
      "PictureSelection",
      {
        guid: selectionGuid(area),
        firstX: area.x,
        firstY: area.y,
        secondX: area.x + area.width,
        secondY: area.y + area.height,
        ...writer.authorAttributes(area),
      },
      [...writer.textElement("Description", area.memo), renderCoding(writer, area)],
    ),
  );
}

function renderMediaRanges(
  writer: RefiWriter,
  name: string,
  { mediaRanges }: SourceContent,
): string[] {
  return mediaRanges.map((range) =>
    writer.element(
      name,
      {
        guid: selectionGuid(range),
        begin: range.begin,
        end: range.end,
        ...writer.authorAttributes(range),
      },
      [...writer.textElement("Description", range.memo), renderCoding(writer, range)],
    ),
  );
}
