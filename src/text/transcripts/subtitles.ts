import { elementAt } from "../arrays/element-at.ts";
import { splitLines } from "../strings/lines.ts";

/**
 * Converts subtitles (SubRip, WebVTT) to a transcript: the text of each cue after its start time.
 * A WebVTT voice tag becomes a speaker label.
 *
 *     1                                      [00:00:12] Ana: It rained.
 *     00:00:12,480 --> 00:00:14,000    →     [00:00:15] I stayed in.
 *     <v Ana>It rained.</v>
 *
 * Undefined if the text has no cues.
 */
export function subtitlesToTranscript(text: string): string | undefined {
  const cues = text
    .split(/(?:\r?\n|\r(?!\n))[^\S\r\n]*(?:\r?\n|\r(?!\n))\s*/)
    .flatMap((block) => formatCue(splitLines(block)) ?? []);
  return cues.length === 0 ? undefined : `${cues.join("\n")}\n`;
}

const timingPattern = /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,]\d{1,3}\s*-->/;

function formatCue(lines: readonly string[]): string | undefined {
  const timingLine = lines.findIndex((line) => timingPattern.test(line));
  if (timingLine < 0) return undefined;
  const textLines = lines
    .slice(timingLine + 1)
    .map(spokenText)
    .filter((line) => line !== "");
  if (textLines.length === 0) return undefined;
  const [, hours = "0", minutes = "", seconds = ""] =
    timingPattern.exec(elementAt(lines, timingLine)) ?? [];
  const startTime = [hours, minutes, seconds].map((part) => part.padStart(2, "0")).join(":");
  return `[${startTime}] ${textLines.join("\n")}`;
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  lrm: "\u200e",
  rlm: "\u200f",
};

const spokenText = (line: string): string =>
  line
    .replace(/<v(?:\.[^\s>]{0,99})?\s+([^>\n]{1,99})>/g, "$1: ")
    .replace(/<\/?[a-z\d][^>\n]{0,99}>|\{\\[^}\n]{0,99}\}/gi, "")
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
