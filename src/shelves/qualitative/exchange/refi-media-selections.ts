import type { XmlElement } from "../../../kernel/formats/xml.ts";
import type { SourceContent } from "./content.ts";
import { attributeOf, childrenOf, keyIn, numberOf } from "./refi-elements.ts";
import type { RefiReader } from "./refi-reader.ts";
import { codingsIn } from "./refi-selections.ts";

/** Upper left and lower right corner, in pixels. */
export function readPictureSelections(
  element: XmlElement,
  source: SourceContent,
  reading: RefiReader,
): void {
  for (const selection of childrenOf(element, "PictureSelection")) {
    const [x, y, right, bottom] = ["firstX", "firstY", "secondX", "secondY"].map((name) =>
      numberOf(selection, name),
    );
    const codings = codingsOfMedia(selection, source, reading);
    if (x === undefined || y === undefined || right === undefined || bottom === undefined) continue;
    if (!(0 <= x && x < right && 0 <= y && y < bottom)) {
      reading.losses.add("dropped", "Areas that are no rectangle", source.name, codings.length);
      continue;
    }
    for (const coding of codings) {
      source.areas.push({ ...coding, x, y, width: right - x, height: bottom - y });
    }
  }
  dropWhole(element, source, reading);
}

export function readRecordingSelections(
  element: XmlElement,
  source: SourceContent,
  reading: RefiReader,
): void {
  for (const selection of childrenOf(element, "AudioSelection", "VideoSelection")) {
    const [begin, end] = [numberOf(selection, "begin"), numberOf(selection, "end")];
    const codings = codingsOfMedia(selection, source, reading);
    if (!(0 <= begin && begin < end)) {
      reading.losses.add("dropped", "Stretches that do not end", source.name, codings.length);
      continue;
    }
    for (const coding of codings) source.stretches.push({ ...coding, begin, end });
  }
  dropWhole(element, source, reading);
}

/** What is neither coded nor in a text has no place with us. */
function codingsOfMedia(selection: XmlElement, source: SourceContent, reading: RefiReader) {
  const codings = childrenOf(selection, "Coding");
  if (codings.length > 0) return codingsIn(selection, codings, reading, reading.memoOf(selection));
  const shown = attributeOf(selection, "name") ?? source.name;
  reading.losses.add("dropped", "Selections of pictures and recordings without a code", shown);
  return [];
}

/**
 * Areas of pages are measured from the lower left corner in points, which needs the size of the
 * page. Often the same selection stands in the text as well, and then nothing is lost.
 */
export function readPdfSelections(
  element: XmlElement,
  source: SourceContent,
  reading: RefiReader,
): void {
  const inText = new Set(
    childrenOf(element, "Representation").flatMap((text) =>
      childrenOf(text, "PlainTextSelection").map((selection) => keyIn(selection)),
    ),
  );
  for (const selection of childrenOf(element, "PDFSelection")) {
    if (inText.has(keyIn(selection))) continue;
    const shown = attributeOf(selection, "name") ?? source.name;
    reading.losses.add("dropped", "Areas of PDF pages", shown);
  }
  dropWhole(element, source, reading);
}

function dropWhole(element: XmlElement, source: SourceContent, { losses }: RefiReader): void {
  const count = childrenOf(element, "Coding").length;
  losses.add("dropped", "Codings of whole pictures, recordings and PDFs", source.name, count);
}
