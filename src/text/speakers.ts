import type { Place } from "./quotes.ts";
import { trimmed } from "./sentences.ts";
import {
  bracketedTime,
  isMadeOf,
  type Label,
  labelAt,
  linesWithPlaces,
  time,
} from "./speaker-labels.ts";

/** What one person says until another begins, in UTF-16 units, without the name in front. */
export interface Turn extends Place {
  speaker: string;
}

/**
 * The turns of a transcript. A turn begins with a name at the start of a line and goes on over as
 * many lines and paragraphs as follow, until the next name or heading.
 *
 *     Researcher 1: How was it?        P01: …        **María José:** …        田中：…
 *     [Ana] It rained.                 [00:01:12] Ana: …        Ana (00:01): …
 *     Ana García  0:12
 *
 * A line of prose can look the same ("the plan: we meet"), so a name that is written like any word
 * counts only where it comes again.
 */
export function turnsOf(text: string): Turn[] {
  const lines = [...linesWithPlaces(text)];
  const labels = lines.flatMap((line) => labelAt(line) ?? []);
  const isSpeaker = speakersAmong(labels);
  const borders = [
    ...labels.filter(isSpeaker),
    ...lines.filter(({ words }, number) => isHeading(words, lines[number - 1]?.words)),
  ].sort((one, other) => one.start - other.start);
  return borders.flatMap((border, number) => {
    if (!("name" in border)) return [];
    const end = borders[number + 1]?.start ?? text.length;
    const said = { start: border.behind, end: withoutCues(text, border.behind, end) };
    const isSilent = text.slice(said.start, said.end).trim() === "";
    return isSilent ? [] : [{ speaker: border.name, ...trimmed(text, said) }];
  });
}

/** Speakers with the number of their turns, who speaks most first. */
export function speakersOf(turns: readonly Turn[]): { name: string; count: number }[] {
  const counts = new Map<string, { name: string; count: number }>();
  for (const { speaker } of turns) {
    const key = speakerKey(speaker);
    const known = counts.get(key);
    counts.set(key, { name: known?.name ?? speaker, count: (known?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}

/** Names are one and the same whatever their case, their spaces and how accents are encoded. */
export const speakerKey = (name: string): string =>
  name.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();

/** What stands above a text, and might be a name if it came again. */
const hardlyNames = new Set(
  [
    "date time duration place location title author subject topic source file summary abstract",
    "result results participants transcript interview recording project language age gender",
  ].flatMap((words) => words.split(" ")),
);

/** Scripts in which no space follows a colon. */
const isUnspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]+$/u;

/** Each word begins with a capital, a digit, or a letter of a script that has no capitals. */
const isWrittenAsName = (name: string): boolean =>
  name.split(" ").length <= 4 && name.split(/[ .-]+/).every((word) => !/^\p{Ll}/u.test(word));

/**
 * Who among the labels is a speaker. A transcript has one manner: where names end in colons,
 * `[Pause]` in front of a line is a remark. Whoever comes again is a speaker. A name that stands
 * there once is one too if it is written as a name. Above a conversation its people are told in the
 * same form, so there it must also say something.
 */
function speakersAmong(labels: readonly Label[]): (label: Label) => boolean {
  const counts = new Map<string, number>();
  const key = ({ name, manner }: Label) => `${manner} ${speakerKey(name)}`;
  for (const label of labels) counts.set(key(label), (counts.get(key(label)) ?? 0) + 1);
  const comesAgain = (label: Label): boolean =>
    (counts.get(key(label)) ?? 0) > 1 &&
    (!/^\p{Ll}/u.test(label.name) ||
      (label.manner === "colon" && label.name.split(" ").length <= 2));
  const again = labels.filter(comesAgain);
  const manner = mostUsed(again) ?? mannerOfOnce(labels.filter(isWrittenAsSpeaker));
  const first = again.find((label) => label.manner === manner);
  const standsOnce = (label: Label): boolean =>
    isWrittenAsSpeaker(label) &&
    (!label.isWeak || first?.isWeak === true || isUnspaced.test(label.name)) &&
    (!first || label.start > first.start || isStatement(label.said));
  return (label) => label.manner === manner && (comesAgain(label) || standsOnce(label));
}

const isWrittenAsSpeaker = ({ name, manner }: Label): boolean =>
  isWrittenAsName(name) &&
  !isMadeOf(name, hardlyNames) &&
  (manner === "colon" || manner === "bracket");

/** A sentence, or as many words as a name or a place hardly has. */
const isStatement = (said: string): boolean =>
  /[.!?…。！？]["'’”»\p{Pe}\p{Pf}]*\s*$/u.test(said) || said.trim().split(/\s+/).length > 5;

function mostUsed(labels: readonly Label[]): Label["manner"] | undefined {
  const counts = new Map<Label["manner"], number>();
  for (const { manner } of labels) counts.set(manner, (counts.get(manner) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0];
}

/** Where nobody comes again: a single remark in brackets is no conversation. */
function mannerOfOnce(labels: readonly Label[]): Label["manner"] | undefined {
  if (labels.some(({ manner }) => manner === "colon")) return "colon";
  return labels.length > 1 ? "bracket" : undefined;
}

/** A heading of Markdown, or a line in capitals below an empty one, begins another part. */
const isHeading = (words: string, before: string | undefined): boolean =>
  /^#{1,6}\s/.test(words) ||
  (before?.trim() === "" &&
    /^[\p{Lu}\p{N} &/()-]{4,80}$/u.test(words.trim()) &&
    /\p{Lu}{2}/u.test(words));

const cue = new RegExp(
  String.raw`(?:[\r\n][ \t]*\d{1,6}[ \t]*)?[\r\n]+[ \t]*(?:${time}(?:\s*-->\s*${time})?|${bracketedTime})[ \t]*$`,
);

/** The number and the time of a subtitle in front of the next turn belong to nobody. */
function withoutCues(text: string, start: number, end: number): number {
  const words = text.slice(start, end).trimEnd();
  const found = cue.exec(words.slice(-100));
  return found ? start + words.length - found[0].length : end;
}
