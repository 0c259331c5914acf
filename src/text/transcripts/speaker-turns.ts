import type { TextSpan } from "../spans/quote-search.ts";
import { trimSpan } from "../spans/sentence-spans.ts";
import {
  bracketedTimePattern,
  consistsOf,
  linesWithOffsets,
  type SpeakerLabel,
  speakerLabelAt,
  timePattern,
} from "./speaker-labels.ts";

/** The speech of one speaker until the next speaks, without the label. */
export interface SpeakerTurn extends TextSpan {
  speaker: string;
}

/**
 * Splits a transcript into turns. A turn starts with a speaker label at the start of a line and
 * extends over lines and paragraphs to the next label or heading.
 *
 *     Researcher 1: How was it?        P01: …        **María José:** …        田中：…
 *     [Ana] It rained.                 [00:01:12] Ana: …        Ana (00:01): …
 *     Ana García  0:12
 *
 * Prose can look the same ("the plan: we meet"), so a label that is not written like a name counts
 * only if it is repeated.
 */
export function parseSpeakerTurns(text: string): SpeakerTurn[] {
  const lines = [...linesWithOffsets(text)];
  const labels = lines.flatMap((line) => speakerLabelAt(line) ?? []);
  const isSpeaker = createSpeakerTest(labels);
  const boundaries = [
    ...labels.filter(isSpeaker),
    ...lines.filter((line, index) => isHeading(line.text, lines[index - 1]?.text)),
  ].sort((a, b) => a.start - b.start);
  return boundaries.flatMap((boundary, index) => {
    if (!("name" in boundary)) return [];
    const start = boundary.speechStart;
    const next = boundaries[index + 1]?.start ?? text.length;
    const speech = { start, end: endBeforeCue(text, start, next) };
    const isEmpty = text.slice(speech.start, speech.end).trim() === "";
    return isEmpty ? [] : [{ speaker: boundary.name, ...trimSpan(text, speech) }];
  });
}

/** Speakers with the number of their turns, most turns first. */
export function countSpeakers(turns: readonly SpeakerTurn[]): { name: string; count: number }[] {
  const counts = new Map<string, { name: string; count: number }>();
  for (const { speaker } of turns) {
    const key = speakerKey(speaker);
    const previous = counts.get(key);
    counts.set(key, { name: previous?.name ?? speaker, count: (previous?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** Normalizes a name for comparison: case, spaces and the encoding of accents do not matter. */
export const speakerKey = (name: string): string =>
  name.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();

/** Labels of metadata above a transcript. They are speakers only if repeated. */
const unlikelyNames = new Set(
  [
    "date time duration place location title author subject topic source file summary abstract",
    "result results participants transcript interview recording project language age gender",
  ].flatMap((words) => words.split(" ")),
);

/** Scripts that put no space after a colon. */
const isUnspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]+$/u;

/** At most four words, none of which starts with a lower-case letter. */
const isWrittenAsName = (name: string): boolean =>
  name.split(" ").length <= 4 && name.split(/[ .-]+/).every((word) => !/^\p{Ll}/u.test(word));

/**
 * Decides which labels are speakers. A transcript uses one label style: if names end in colons,
 * `[Pause]` is a remark. A repeated label is a speaker. A label that occurs once is a speaker if it is
 * written like a name; before the first repeated label it must also precede a statement, because
 * lists of participants look similar.
 */
function createSpeakerTest(labels: readonly SpeakerLabel[]): (label: SpeakerLabel) => boolean {
  const counts = new Map<string, number>();
  const key = ({ name, style }: SpeakerLabel) => `${style} ${speakerKey(name)}`;
  for (const label of labels) counts.set(key(label), (counts.get(key(label)) ?? 0) + 1);
  const isRepeated = (label: SpeakerLabel): boolean =>
    (counts.get(key(label)) ?? 0) > 1 &&
    (!/^\p{Ll}/u.test(label.name) ||
      (label.style === "colon" && label.name.split(" ").length <= 2));
  const repeated = labels.filter(isRepeated);
  const transcriptStyle =
    mostFrequentStyle(repeated) ?? styleOfSingleLabels(labels.filter(isWrittenAsSpeaker));
  const first = repeated.find((label) => label.style === transcriptStyle);
  const isSingleSpeaker = (label: SpeakerLabel): boolean =>
    isWrittenAsSpeaker(label) &&
    (!label.isAmbiguous || first?.isAmbiguous === true || isUnspaced.test(label.name)) &&
    (!first || label.start > first.start || isStatement(label.restOfLine));
  return (label) =>
    label.style === transcriptStyle && (isRepeated(label) || isSingleSpeaker(label));
}

const isWrittenAsSpeaker = ({ name, style }: SpeakerLabel): boolean =>
  isWrittenAsName(name) &&
  !consistsOf(name, unlikelyNames) &&
  (style === "colon" || style === "bracket");

/** Ends like a sentence, or has more words than a name or a role would have. */
const isStatement = (speech: string): boolean =>
  /[.!?…。！？]["'’”»\p{Pe}\p{Pf}]*\s*$/u.test(speech) || speech.trim().split(/\s+/).length > 5;

function mostFrequentStyle(labels: readonly SpeakerLabel[]): SpeakerLabel["style"] | undefined {
  const counts = new Map<SpeakerLabel["style"], number>();
  for (const { style } of labels) counts.set(style, (counts.get(style) ?? 0) + 1);
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b - a);
  return mostFrequent?.[0];
}

/** The style if no label is repeated. A single label in brackets is a remark. */
function styleOfSingleLabels(labels: readonly SpeakerLabel[]): SpeakerLabel["style"] | undefined {
  if (labels.some(({ style }) => style === "colon")) return "colon";
  return labels.length > 1 ? "bracket" : undefined;
}

/** A Markdown heading, or a line in capitals after a blank line. */
const isHeading = (line: string, previousLine: string | undefined): boolean =>
  /^#{1,6}\s/.test(line) ||
  (previousLine?.trim() === "" &&
    /^[\p{Lu}\p{N} &/()-]{4,80}$/u.test(line.trim()) &&
    /\p{Lu}{2}/u.test(line));

const cuePattern = new RegExp(
  String.raw`(?:[\r\n][ \t]*\d{1,6}[ \t]*)?[\r\n]+[ \t]*(?:${timePattern}(?:\s*-->\s*${timePattern})?|${bracketedTimePattern})[ \t]*$`,
);

/** Excludes the subtitle number and time that precede the next turn. */
function endBeforeCue(text: string, start: number, end: number): number {
  const speech = text.slice(start, end).trimEnd();
  const cue = cuePattern.exec(speech.slice(-100));
  return cue ? start + speech.length - cue[0].length : end;
}
