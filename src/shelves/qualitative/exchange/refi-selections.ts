import type { XmlElement } from "../../../kernel/formats/xml.ts";
import { type Anchors, anchorsIn } from "./anchoring.ts";
import type { SourceContent } from "./content.ts";
import { attributeOf, childrenOf, keyIn, numberOf, targetsOf } from "./refi-elements.ts";
import type { RefiReader } from "./refi-reader.ts";

/** A selection of a text, to which cases may refer. */
export interface Selected {
  source: string;
  start: number;
  end: number;
  /** False where it is neither coded nor described, nor a case's. */
  isUsed: boolean;
}

/** Selections of a text, and codings of the whole of it. */
export function readTextSelections(
  element: XmlElement,
  source: SourceContent,
  reading: RefiReader,
  selections: Map<string, Selected>,
): void {
  const anchors = anchorsIn(source.text ?? "", reading.budget);
  for (const selection of childrenOf(element, "PlainTextSelection")) {
    const said = {
      start: numberOf(selection, "startPosition"),
      end: numberOf(selection, "endPosition"),
      title: attributeOf(selection, "name"),
    };
    const place = placeIn(anchors, said, source, reading);
    if (!place) continue;
    const isUsed = addPassages(selection, place, source, reading);
    selections.set(keyIn(selection), { source: source.guid, ...place, isUsed });
  }
  const whole = { start: 0, end: anchors.offsets.length };
  for (const coding of childrenOf(element, "Coding")) {
    if (whole.end > 0) addCodings(element, [coding], whole, source, reading, "");
    else reading.losses.add("dropped", "Codings of texts that are missing", source.name);
  }
}

function placeIn(
  anchors: Anchors,
  said: { start: number; end: number; title?: string | undefined },
  source: SourceContent,
  { losses }: RefiReader,
): { start: number; end: number } | undefined {
  const place = anchors.place(said);
  const shown = said.title ?? `${source.name} [${said.start}:${said.end}]`;
  if (place?.isMoved) losses.add("re-anchored", "Passages found elsewhere than was said", shown);
  if (place) return { start: place.start, end: place.end };
  const what =
    anchors.offsets.length === 0
      ? "Passages of texts that are missing"
      : "Passages outside of their text";
  losses.add("dropped", what, shown);
  return undefined;
}

/**
 * A description belongs to the coding where there is one; where there are several or none, it is
 * an annotation of the passage. False where nothing is said of the passage at all.
 */
function addPassages(
  selection: XmlElement,
  place: { start: number; end: number },
  source: SourceContent,
  reading: RefiReader,
): boolean {
  const codings = childrenOf(selection, "Coding");
  const memo = reading.memoOf(selection);
  addCodings(selection, codings, place, source, reading, codings.length === 1 ? memo : "");
  if (memo !== "" && codings.length !== 1) {
    source.annotations.push({
      guid: reading.identify(selection),
      memo,
      ...reading.madeBy(selection),
      ...place,
    });
  }
  return codings.length > 0 || memo !== "";
}

function addCodings(
  selection: XmlElement,
  codings: readonly XmlElement[],
  place: { start: number; end: number },
  source: SourceContent,
  reading: RefiReader,
  memo: string,
): void {
  for (const coding of codingsIn(selection, codings, reading, memo)) {
    source.passages.push({ ...coding, start: place.start, end: place.end });
  }
}

/** Codings without their places. */
export function codingsIn(
  selection: XmlElement,
  codings: readonly XmlElement[],
  { codes, losses, notes, identify, madeBy }: RefiReader,
  memo: string,
) {
  return codings.flatMap((coding) => {
    const [code, ...others] = targetsOf(coding, "CodeRef").map((key) => codes.get(key));
    losses.add(
      "dropped",
      "Codings with a second code",
      attributeOf(selection, "name"),
      others.length,
    );
    if (code === undefined) {
      losses.add("dropped", "Codings without a code of the file", attributeOf(selection, "name"));
      return [];
    }
    const words = [memo, ...notes.about(coding)].filter(Boolean).join("\n");
    return [{ guid: identify(coding), code, memo: words, ...madeBy(coding, selection) }];
  });
}

/** Sync points say where in the text a moment of the recording is. */
export function readTranscriptSelections(
  element: XmlElement,
  source: SourceContent,
  reading: RefiReader,
): void {
  const points = new Map(
    childrenOf(element, "SyncPoint").map((point) => [keyIn(point), numberOf(point, "position")]),
  );
  reading.losses.add("dropped", "Moments of transcripts in their recordings", "", points.size);
  const anchors = anchorsIn(source.text ?? "", reading.budget);
  for (const selection of childrenOf(element, "TranscriptSelection")) {
    const said = {
      start: points.get(keyIn(selection, "fromSyncPoint")) ?? Number.NaN,
      end: points.get(keyIn(selection, "toSyncPoint")) ?? Number.NaN,
      title: attributeOf(selection, "name"),
    };
    const place = placeIn(anchors, said, source, reading);
    if (place) addPassages(selection, place, source, reading);
  }
}
