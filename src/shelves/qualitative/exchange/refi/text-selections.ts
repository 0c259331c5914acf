import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import type { SourceContent } from "../content.ts";
import { createPassageAnchors, type PassageAnchors } from "../passage-anchors.ts";
import {
  childElements,
  elementAttribute,
  elementKey,
  integerAttribute,
  targetKeys,
} from "./elements.ts";
import type { RefiReadContext } from "./read-context.ts";

/** A text selection that cases may refer to. */
export interface TextSelection {
  source: string;
  start: number;
  end: number;
  /** False if it has no coding, no description and no case. */
  isUsed: boolean;
}

/** Reads the selections of a text, and the codings of the whole text. */
export function readTextSelections(
  element: XmlElement,
  source: SourceContent,
  context: RefiReadContext,
  selections: Map<string, TextSelection>,
): void {
  const anchors = createPassageAnchors(source.text ?? "", context.budget);
  for (const selection of childElements(element, "PlainTextSelection")) {
    const stated = {
      start: integerAttribute(selection, "startPosition"),
      end: integerAttribute(selection, "endPosition"),
      title: elementAttribute(selection, "name"),
    };
    const range = anchorSelection(anchors, stated, source, context);
    if (!range) continue;
    const isUsed = addPassages(selection, range, source, context);
    selections.set(elementKey(selection), { source: source.guid, ...range, isUsed });
  }
  const whole = { start: 0, end: anchors.offsets.length };
  for (const coding of childElements(element, "Coding")) {
    if (whole.end > 0) addCodings(element, [coding], whole, source, context, "");
    else context.losses.add("dropped", "Codings of texts that are missing", source.name);
  }
}

function anchorSelection(
  anchors: PassageAnchors,
  stated: { start: number; end: number; title?: string | undefined },
  source: SourceContent,
  { losses }: RefiReadContext,
): { start: number; end: number } | undefined {
  const anchored = anchors.anchor(stated);
  const shown = stated.title ?? `${source.name} [${stated.start}:${stated.end}]`;
  if (anchored?.isMoved) losses.add("re-anchored", "Passages found at another position", shown);
  if (anchored) return { start: anchored.start, end: anchored.end };
  const what =
    anchors.offsets.length === 0
      ? "Passages of texts that are missing"
      : "Passages outside their text";
  losses.add("dropped", what, shown);
  return undefined;
}

/**
 * A description becomes the memo of the coding if there is exactly one, otherwise an annotation of
 * the passage. Returns false if the selection has neither codings nor a description.
 */
function addPassages(
  selection: XmlElement,
  range: { start: number; end: number },
  source: SourceContent,
  context: RefiReadContext,
): boolean {
  const codings = childElements(selection, "Coding");
  const memo = context.memoOf(selection);
  addCodings(selection, codings, range, source, context, codings.length === 1 ? memo : "");
  if (memo !== "" && codings.length !== 1) {
    source.annotations.push({
      guid: context.identify(selection),
      memo,
      ...context.authorshipOf(selection),
      ...range,
    });
  }
  return codings.length > 0 || memo !== "";
}

function addCodings(
  selection: XmlElement,
  codings: readonly XmlElement[],
  range: { start: number; end: number },
  source: SourceContent,
  context: RefiReadContext,
  memo: string,
): void {
  for (const coding of readSelectionCodings(selection, codings, context, memo)) {
    source.passages.push({ ...coding, start: range.start, end: range.end });
  }
}

/** The codings of a selection, without positions. */
export function readSelectionCodings(
  selection: XmlElement,
  codings: readonly XmlElement[],
  { codes, losses, notes, identify, authorshipOf }: RefiReadContext,
  memo: string,
) {
  return codings.flatMap((coding) => {
    const [code, ...others] = targetKeys(coding, "CodeRef").map((key) => codes.get(key));
    losses.add(
      "dropped",
      "Codings with a second code",
      elementAttribute(selection, "name"),
      others.length,
    );
    if (code === undefined) {
      losses.add(
        "dropped",
        "Codings without a code of the file",
        elementAttribute(selection, "name"),
      );
      return [];
    }
    const memoText = [memo, ...notes.claimTextsAbout(coding)].filter(Boolean).join("\n");
    return [{ guid: identify(coding), code, memo: memoText, ...authorshipOf(coding, selection) }];
  });
}

/** Sync points map times of the recording to positions in the text. */
export function readTranscriptSelections(
  element: XmlElement,
  source: SourceContent,
  context: RefiReadContext,
): void {
  const points = new Map(
    childElements(element, "SyncPoint").map((point) => [
      elementKey(point),
      integerAttribute(point, "position"),
    ]),
  );
  context.losses.add("dropped", "Moments of transcripts in their recordings", "", points.size);
  const anchors = createPassageAnchors(source.text ?? "", context.budget);
  for (const selection of childElements(element, "TranscriptSelection")) {
    const stated = {
      start: points.get(elementKey(selection, "fromSyncPoint")) ?? Number.NaN,
      end: points.get(elementKey(selection, "toSyncPoint")) ?? Number.NaN,
      title: elementAttribute(selection, "name"),
    };
    const range = anchorSelection(anchors, stated, source, context);
    if (range) addPassages(selection, range, source, context);
  }
}
