import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import type { SourceContent } from "../content.ts";
import { childElements, elementAttribute, elementKey, integerAttribute } from "./elements.ts";
import type { RefiReadContext } from "./read-context.ts";
import { readSelectionCodings } from "./text-selections.ts";

/** Selections are given by their upper left and lower right corner in pixels. */
export function readPictureSelections(
  element: XmlElement,
  source: SourceContent,
  context: RefiReadContext,
): void {
  for (const selection of childElements(element, "PictureSelection")) {
    const [x, y, right, bottom] = ["firstX", "firstY", "secondX", "secondY"].map((name) =>
      integerAttribute(selection, name),
    );
    const codings = readMediaCodings(selection, source, context);
    if (x === undefined || y === undefined || right === undefined || bottom === undefined) continue;
    if (!(0 <= x && x < right && 0 <= y && y < bottom)) {
      context.losses.add("dropped", "Areas that are not rectangles", source.name, codings.length);
      continue;
    }
    for (const coding of codings) {
      source.areas.push({ ...coding, x, y, width: right - x, height: bottom - y });
    }
  }
  dropWholeCodings(element, source, context);
}

export function readRecordingSelections(
  element: XmlElement,
  source: SourceContent,
  context: RefiReadContext,
): void {
  for (const selection of childElements(element, "AudioSelection", "VideoSelection")) {
    const [begin, end] = [integerAttribute(selection, "begin"), integerAttribute(selection, "end")];
    const codings = readMediaCodings(selection, source, context);
    if (!(0 <= begin && begin < end)) {
      context.losses.add("dropped", "Ranges without an end", source.name, codings.length);
      continue;
    }
    for (const coding of codings) source.mediaRanges.push({ ...coding, begin, end });
  }
  dropWholeCodings(element, source, context);
}

/** A selection without codings and outside a text is reported as a loss. */
function readMediaCodings(selection: XmlElement, source: SourceContent, context: RefiReadContext) {
  const codings = childElements(selection, "Coding");
  if (codings.length > 0)
    return readSelectionCodings(selection, codings, context, context.memoOf(selection));
  const shown = elementAttribute(selection, "name") ?? source.name;
  context.losses.add("dropped", "Selections of pictures and recordings without a code", shown);
  return [];
}

/**
 * Areas on pages are reported as losses: they are measured in points from the lower left corner,
 * and converting them needs the page size. If the same selection is also in the text, nothing is
 * lost.
 */
export function readPdfSelections(
  element: XmlElement,
  source: SourceContent,
  context: RefiReadContext,
): void {
  const inText = new Set(
    childElements(element, "Representation").flatMap((text) =>
      childElements(text, "PlainTextSelection").map((selection) => elementKey(selection)),
    ),
  );
  for (const selection of childElements(element, "PDFSelection")) {
    if (inText.has(elementKey(selection))) continue;
    const shown = elementAttribute(selection, "name") ?? source.name;
    context.losses.add("dropped", "Areas of PDF pages", shown);
  }
  dropWholeCodings(element, source, context);
}

function dropWholeCodings(
  element: XmlElement,
  source: SourceContent,
  { losses }: RefiReadContext,
): void {
  const count = childElements(element, "Coding").length;
  losses.add("dropped", "Codings of whole pictures, recordings and PDFs", source.name, count);
}
