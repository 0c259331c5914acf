import type { Manner } from "./format.ts";
import { asPlainLine, tidied, titled } from "./markdown-text.ts";
import { bytesReader } from "./rtf-letters.ts";
import { damaged, unreadable } from "./unreadable.ts";

/** Text in braces has its own settings, which end with it. */
interface Group {
  /** What becomes of its words. */
  goal: "text" | "title" | "fonts" | "nothing";
  /** Somebody has hidden or deleted them. */
  isHidden: boolean;
  /** How many letters stand in for one that old readers do not know. */
  stands: number;
  font: number;
  isNote: boolean;
}

const deepest = 1_000;

/**
 * One piece after the other: a control word with its number, a byte by its digits, a control sign, a
 * brace, letters. Line ends between them mean nothing.
 */
const piece =
  /\\([a-z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/giy;

/** A document in Rich Text Format: paragraphs as lines, cells with tabs between them. */
export function rtfToText(bytes: Uint8Array, manner: Manner): string {
  const { text, title } = wordsOf(Buffer.from(bytes).toString("latin1"));
  if (manner === "words") return tidied(text.toWellFormed());
  return tidied(titled(text.toWellFormed().split("\n").map(asPlainLine).join("\n"), title));
}

function wordsOf(source: string): { text: string; title: string } {
  if (!/^\s{0,99}\{\\rtf/.test(source)) throw damaged();
  const out = { text: "", title: "" };
  const letters = bytesReader();
  const above: Group[] = [];
  let group: Group = { goal: "text", isHidden: false, stands: 1, font: 0, isNote: false };
  /** Letters that still stand in for the one before them. */
  let skipped = 0;

  const write = (words: string): void => {
    if (group.isHidden) return;
    if (group.goal === "text") out.text += words;
    if (group.goal === "title") out.title += words;
  };
  /** What was written so far belongs to the settings so far. */
  const settle = (): void => {
    write(letters.taken(group.font));
    skipped = 0;
  };
  const addBytes = (bytes: string): void => {
    letters.add(bytes.slice(skipped));
    skipped = Math.max(0, skipped - bytes.length);
  };
  const openGroup = (): void => {
    if (above.push(group) > deepest) throw unreadable("it is nested too deeply");
    group = { ...group, isNote: false };
  };
  const closeGroup = (): void => {
    if (group.isNote) write(")");
    group = above.pop() ?? group;
  };
  const obey = (word: string, number = defaults.get(word) ?? 0): void => {
    if (group.goal === "nothing") return;
    if (unread.has(word)) group.goal = "nothing";
    else if (word === "fonttbl") group.goal = "fonts";
    else if (word === "title") group.goal = "title";
    else if (word === "v" || word === "deleted") group.isHidden = number !== 0;
    else if (word === "plain") group.isHidden = false;
    else if (word === "f") group.font = number;
    else if (word === "fcharset") letters.setFont(group.font, number);
    else if (word === "uc") group.stands = Math.max(0, number);
    else if (word === "u") {
      write(String.fromCharCode(number & 0xffff));
      skipped = group.stands;
    } else if (word === "footnote") {
      write(" (");
      group.isNote = true;
    } else if (!letters.setPage(word, number)) write(signs.get(word) ?? "");
  };

  /** The next word may be unknown, and its group is left out then. We know none of these. */
  let isOptional = false;
  const pieces = new RegExp(piece);
  pieces.lastIndex = source.indexOf("{");
  for (let found = pieces.exec(source); found; found = pieces.exec(source)) {
    const [, word, digits, hex, sign, brace, words] = found;
    if (hex !== undefined) addBytes(String.fromCharCode(Number.parseInt(hex, 16)));
    else if (sign !== undefined && "\\{}".includes(sign)) addBytes(sign);
    else if (words !== undefined) addBytes(words);
    else if (word !== undefined || sign !== undefined || brace !== undefined) {
      settle();
      if (brace === "{") openGroup();
      if (brace === "}") closeGroup();
      if (sign !== undefined) write(signs.get(sign) ?? "");
      if (word !== undefined && isOptional) group.goal = "nothing";
      else if (word !== undefined) obey(word, digits === undefined ? undefined : Number(digits));
      // What follows as bytes may look like braces.
      if (word === "bin") pieces.lastIndex += Number(digits ?? 0);
      isOptional = sign === "*";
    }
    if (above.length === 0) return out;
  }
  throw unreadable("its end is missing");
}

/** What a word means that has no number. */
const defaults = lookup({ v: 1, deleted: 1, uc: 1, ansicpg: 1252 });

/** Groups whose words are not the document's. */
const unread = new Set(
  [
    "colortbl stylesheet pict object objdata fldinst header headerl headerr headerf footer footerl",
    "footerr footerf listtable listoverridetable rsidtbl generator themedata datastore latentstyles",
    "author operator company manager subject keywords comment doccomm category creatim revtim",
    "printim buptim bkmkstart bkmkend xe tc private nonshppict annotation atnid atnauthor",
  ].flatMap((words) => words.split(" ")),
);

/** What stands for a sign that has no key. */
const signs = lookup({
  ...{ par: "\n", line: "\n", sect: "\n", page: "\n", row: "\n", "\n": "\n", "\r": "\n" },
  ...{ tab: "\t", cell: "\t", "~": "\u00a0", _: "\u2011", "-": "" },
  ...{ emdash: "—", endash: "–", emspace: " ", enspace: " ", qmspace: " ", bullet: "•" },
  ...{ lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”" },
});

/** Any word may stand in a file, also one that every object of the language knows. */
function lookup<Value>(table: Record<string, Value>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(table));
}
