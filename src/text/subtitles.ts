import { linesOf } from "./lines.ts";

/**
 * Subtitles (SubRip, WebVTT) as a transcript: what is said in each, behind the time when it begins.
 * A voice that a file names becomes a name with a colon.
 *
 *     1                                      [00:00:12] Ana: It rained.
 *     00:00:12,480 --> 00:00:14,000    →     [00:00:15] I stayed in.
 *     <v Ana>It rained.</v>
 *
 * `undefined` where no time is found, so it is something else.
 */
export function subtitlesToText(text: string): string | undefined {
  const cues = text
    .split(/(?:\r?\n|\r(?!\n))[^\S\r\n]*(?:\r?\n|\r(?!\n))\s*/)
    .flatMap((block) => cueOf(linesOf(block)) ?? []);
  return cues.length === 0 ? undefined : `${cues.join("\n")}\n`;
}

const timing = /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,]\d{1,3}\s*-->/;

function cueOf(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => timing.test(line));
  const [, hours = "0", minutes = "", seconds = ""] = timing.exec(lines[at] ?? "") ?? [];
  const said = lines
    .slice(at + 1)
    .map(spoken)
    .filter((line) => line !== "");
  if (at < 0 || said.length === 0) return undefined;
  const begins = [hours, minutes, seconds].map((part) => part.padStart(2, "0")).join(":");
  return `[${begins}] ${said.join("\n")}`;
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  lrm: "\u200e",
  rlm: "\u200f",
};

const spoken = (line: string): string =>
  line
    .replace(/<v(?:\.[^\s>]{0,99})?\s+([^>\n]{1,99})>/g, "$1: ")
    .replace(/<\/?[a-z\d][^>\n]{0,99}>|\{\\[^}\n]{0,99}\}/gi, "")
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
