import { type Offsets, offsetsOf } from "../../../text/offsets.ts";
import type { SourceContent } from "./content.ts";
import { derivedGuid } from "./guid.ts";
import { hasRichText, mediaFile, type RefiPen, representationGuid, textFile } from "./refi-pen.ts";

/** A source with its selections, in the order that the standard wants for its kind. */
export function sourceElement(pen: RefiPen, source: SourceContent): string {
  const { guid, name, memo } = source;
  const about = { guid, name, ...pen.made(source) };
  const media = { ...about, path: `internal://${mediaFile(source)}` };
  const description = pen.words("Description", memo);
  const values = pen.values(source.values);
  switch (source.kind) {
    case "text":
      return pen.element("TextSource", textAttributes(source, about), [
        ...description,
        ...selections(pen, source),
        ...values,
      ]);
    case "pdf":
      return pen.element("PDFSource", media, [
        ...description,
        ...representation(pen, source),
        ...values,
      ]);
    case "image":
      return pen.element("PictureSource", media, [
        ...description,
        ...areas(pen, source),
        ...values,
      ]);
    case "audio":
    case "video": {
      const kind = source.kind === "audio" ? "Audio" : "Video";
      return pen.element(`${kind}Source`, media, [
        ...description,
        ...transcript(pen, source),
        ...stretches(pen, `${kind}Selection`, source),
        ...values,
      ]);
    }
  }
}

const textAttributes = (source: SourceContent, about: Record<string, string | undefined>) => ({
  ...about,
  ...(hasRichText(source) && { richTextPath: `internal://${mediaFile(source)}` }),
  plainTextPath: `internal://${textFile(source.guid)}`,
});

function representation(pen: RefiPen, source: SourceContent): string[] {
  if (source.text === null) return [];
  const guid = representationGuid(source);
  const attributes = { guid, name: source.name, plainTextPath: `internal://${textFile(guid)}` };
  return [pen.element("Representation", attributes, selections(pen, source))];
}

/** Other programs hold the words of a recording inside it; ours also stand as a source. */
function transcript(pen: RefiPen, source: SourceContent): string[] {
  const text = pen.transcriptOf(source);
  if (!text) return [];
  const plainTextPath = `internal://${textFile(text.guid)}`;
  const guid = derivedGuid("transcript", source.guid);
  return [pen.element("Transcript", { guid, name: text.name, plainTextPath })];
}

/** Each coding has a selection of its own, so that its memo can be the selection's description. */
function selections(pen: RefiPen, source: SourceContent): string[] {
  const offsets = offsetsOf(source.text ?? "");
  const selection = (
    { guid, start, end }: { guid: string; start: number; end: number },
    made: ReturnType<RefiPen["made"]>,
    children: readonly string[],
  ): string =>
    pen.element(
      "PlainTextSelection",
      { guid, name: titleOf(offsets, start, end), startPosition: start, endPosition: end, ...made },
      children,
    );
  return [
    ...source.passages.map((passage) =>
      selection({ ...passage, guid: selectionGuid(passage) }, pen.made(passage), [
        ...pen.words("Description", passage.memo),
        codingElement(pen, passage),
      ]),
    ),
    ...source.annotations.map((annotation) =>
      selection(annotation, pen.made(annotation), pen.words("Description", annotation.memo)),
    ),
    ...pen.casePassagesIn(source).map((passage) => selection(passage, {}, [])),
  ];
}

/** The first words of a passage, by which a reader can find it should the positions fail. */
const titleOf = (offsets: Offsets, start: number, end: number): string | undefined =>
  offsets
    .slice(start, Math.min(end, start + 100))
    .replace(/\s+/g, " ")
    .trim() || undefined;

type Coding = SourceContent["passages" | "areas" | "stretches"][number];

const selectionGuid = ({ guid }: Coding): string => derivedGuid("selection", guid);

const codingElement = (pen: RefiPen, coding: Coding): string =>
  pen.element("Coding", { guid: coding.guid, ...pen.made(coding) }, [
    pen.element("CodeRef", { targetGUID: coding.code }),
  ]);

function areas(pen: RefiPen, { areas }: SourceContent): string[] {
  return areas.map((area) =>
    pen.element(
      "PictureSelection",
      {
        guid: selectionGuid(area),
        firstX: area.x,
        firstY: area.y,
        secondX: area.x + area.width,
        secondY: area.y + area.height,
        ...pen.made(area),
      },
      [...pen.words("Description", area.memo), codingElement(pen, area)],
    ),
  );
}

function stretches(pen: RefiPen, name: string, { stretches }: SourceContent): string[] {
  return stretches.map((stretch) =>
    pen.element(
      name,
      {
        guid: selectionGuid(stretch),
        begin: stretch.begin,
        end: stretch.end,
        ...pen.made(stretch),
      },
      [...pen.words("Description", stretch.memo), codingElement(pen, stretch)],
    ),
  );
}
