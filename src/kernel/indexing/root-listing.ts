import { type Stats, statSync } from "node:fs";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { timestampRaceMs } from "../documents/document-rows.ts";
import { type FoundFile, type InputStat, statInput, type Walk } from "./walk.ts";

/** The result of walking a root. */
export interface RootListing extends Pick<Walk, "inputs" | "links" | "unreadable"> {
  found: readonly FoundFile[];
}

/** No path contains two adjacent slashes. */
const separator = "//";

/** Marks of paths whose state cannot be compared by a stat. */
const unreadableMark = "?";
const linkMark = "link";
const recentMark = "recent";

/** Size, modification time and change time. */
const numbersPerFile = 3;

/**
 * The listing as text: the stat of every file, folder and ignore file. Equal texts mean that a walk
 * found the same. It begins with the numbers of all files and the number of the other paths, which
 * have a mark each.
 */
export function serializeListing({ found, inputs, links, unreadable }: RootListing): string {
  const numbers = new Float64Array(found.length * numbersPerFile);
  for (const [index, { size, modified, changed }] of found.entries()) {
    numbers.set([size, modified, changed], index * numbersPerFile);
  }
  const marks = [
    ...[...unreadable.keys()].flatMap((path) => [path, unreadableMark]),
    ...[...links].flatMap((path) => [path, linkMark]),
    ...[...inputs].flatMap(([path, input]) => [path, describeInput(input)]),
  ];
  return [
    Buffer.from(numbers.buffer).toString("base64url"),
    marks.length,
    ...marks,
    ...found.map(({ path }) => path),
  ].join(separator);
}

/** The numbers of all files. */
function parseNumbers(text: string): Float64Array {
  const bytes = Buffer.from(text, "base64url");
  // A copy, because a buffer of Node may begin at any offset.
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

function describeInput({ stat, seen }: InputStat): string {
  if (!stat) return unreadableMark;
  // It may change again without a new time.
  const isRecent = Math.max(stat.mtimeMs, stat.ctimeMs) + timestampRaceMs > seen;
  return isRecent ? recentMark : inputText(stat);
}

const inputPrefix = "in ";

const inputText = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${inputPrefix}${dev}/${ino}/${size}/${mtimeMs}/${ctimeMs}`;

/** The number of files to compare before yielding to the event loop. */
const filesPerSlice = 5_000;

/**
 * Compares a listing with the disk, one stat for each path: several times as fast as a walk, because
 * folders with unchanged times have unchanged entries. Returns the number of files, or undefined if
 * anything changed or cannot be compared in this way. Only for local file systems: others cache the
 * times of folders.
 */
export async function countIfUnchanged(root: string, listing: string): Promise<number | undefined> {
  const [numbers = "", markCount = "", ...rest] = listing.split(separator);
  const marks = rest.slice(0, Number(markCount));
  const paths = rest.slice(marks.length);
  try {
    if (!haveSameMarks(root, marks)) return undefined;
    const expected = parseNumbers(numbers);
    if (expected.length !== paths.length * numbersPerFile) return undefined;
    for (let start = 0; start < paths.length; start += filesPerSlice) {
      if (start > 0) await yieldToEventLoop();
      const end = Math.min(start + filesPerSlice, paths.length);
      if (!haveSameNumbers(root, paths, expected, start, end)) return undefined;
    }
  } catch {
    // The walk reports the error.
    return undefined;
  }
  return paths.length;
}

/** Whether the folders and ignore files are unchanged. */
function haveSameMarks(root: string, marks: readonly string[]): boolean {
  const device = `${inputPrefix}${statSync(root).dev}/`;
  for (let at = 0; at < marks.length; at += 2) {
    const mark = marks[at + 1];
    // A folder of another device is a mount, which may not be local.
    if (!mark?.startsWith(device)) return false;
    const stat = statInput(root, marks[at] ?? "");
    if (!stat || inputText(stat) !== mark) return false;
  }
  return true;
}

function haveSameNumbers(
  root: string,
  paths: readonly string[],
  expected: Float64Array,
  start: number,
  end: number,
): boolean {
  for (let file = start; file < end; file++) {
    const stat = statSync(`${root}/${paths[file]}`, { throwIfNoEntry: false });
    const at = file * numbersPerFile;
    const isSame =
      stat?.isFile() === true &&
      stat.size === expected[at] &&
      stat.mtimeMs === expected[at + 1] &&
      stat.ctimeMs === expected[at + 2];
    if (!isSame) return false;
  }
  return true;
}
