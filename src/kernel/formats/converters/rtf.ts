import { damagedFile, unreadableFile } from "../file-errors.ts";
import type { OutputStyle } from "../format.ts";
import { escapeBlockMarks, tidyMarkdown, withTitle } from "./markdown-text.ts";
import { createRtfDecoder } from "./rtf-decoder.ts";

/** The state of a group, which is text in braces. It is restored at the end of the group. */
interface RtfGroup {
  /** Where the text of the group goes. */
  destination: "text" | "title" | "fonts" | "nothing";
  /** The text is marked as hidden or deleted. */
  isHidden: boolean;
  /** The number of fallback characters after each Unicode character (`\uc`). */
  fallbackLength: number;
  font: number;
  isNote: boolean;
}

const maxDepth = 1_000;

/**
 * One token at a time: a control word with its parameter, a byte as hex digits, a control symbol, a
 * brace, or text. Line ends between them are ignored.
 */
const tokenPattern =
  /\\([a-z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/giy;

/** A Rich Text Format document: paragraphs become lines, and table cells are separated by tabs. */
export function rtfToText(bytes: Uint8Array, style: OutputStyle): string {
  const { text, title } = parseRtf(Buffer.from(bytes).toString("latin1"));
  if (style === "words") return tidyMarkdown(text.toWellFormed());
  return tidyMarkdown(
    withTitle(text.toWellFormed().split("\n").map(escapeBlockMarks).join("\n"), title),
  );
}

function parseRtf(source: string): { text: string; title: string } {
  if (!/^\s{0,99}\{\\rtf/.test(source)) throw damagedFile();
  const out = { text: "", title: "" };
  const decoder = createRtfDecoder();
  const parents: RtfGroup[] = [];
  let group: RtfGroup = {
    destination: "text",
    isHidden: false,
    fallbackLength: 1,
    font: 0,
    isNote: false,
  };
  /** The number of fallback characters still to skip. */
  let fallbackLeft = 0;

  const write = (text: string): void => {
    if (group.isHidden) return;
    if (group.destination === "text") out.text += text;
    if (group.destination === "title") out.title += text;
  };
  /** Must be called before the state changes: pending bytes have the old font. */
  const flushBytes = (): void => {
    write(decoder.flush(group.font));
    fallbackLeft = 0;
  };
  const addBytes = (bytes: string): void => {
    decoder.add(bytes.slice(fallbackLeft));
    fallbackLeft = Math.max(0, fallbackLeft - bytes.length);
  };
  const openGroup = (): void => {
    if (parents.push(group) > maxDepth) throw unreadableFile("it is nested too deeply");
    group = { ...group, isNote: false };
  };
  const closeGroup = (): void => {
    if (group.isNote) write(")");
    group = parents.pop() ?? group;
  };
  const applyControlWord = (word: string, number = defaultParameters.get(word) ?? 0): void => {
    if (group.destination === "nothing") return;
    if (skippedDestinations.has(word)) group.destination = "nothing";
    else if (word === "fonttbl") group.destination = "fonts";
    else if (word === "title") group.destination = "title";
    else if (word === "v" || word === "deleted") group.isHidden = number !== 0;
    else if (word === "plain") group.isHidden = false;
    else if (word === "f") group.font = number;
    else if (word === "fcharset") decoder.setFont(group.font, number);
    else if (word === "uc") group.fallbackLength = Math.max(0, number);
    else if (word === "u") {
      write(String.fromCharCode(number & 0xffff));
      fallbackLeft = group.fallbackLength;
    } else if (word === "footnote") {
      write(" (");
      group.isNote = true;
    } else if (!decoder.setCodePage(word, number)) write(controlSymbols.get(word) ?? "");
  };

  /** `\*` marks a group that may be skipped if its control word is unknown; all of them are here. */
  let isOptional = false;
  const tokens = new RegExp(tokenPattern);
  tokens.lastIndex = source.indexOf("{");
  for (let match = tokens.exec(source); match; match = tokens.exec(source)) {
    const [, word, digits, hex, symbol, brace, text] = match;
    if (hex !== undefined) addBytes(String.fromCharCode(Number.parseInt(hex, 16)));
    else if (symbol !== undefined && "\\{}".includes(symbol)) addBytes(symbol);
    else if (text !== undefined) addBytes(text);
    else if (word !== undefined || symbol !== undefined || brace !== undefined) {
      flushBytes();
      if (brace === "{") openGroup();
      if (brace === "}") closeGroup();
      if (symbol !== undefined) write(controlSymbols.get(symbol) ?? "");
      if (word !== undefined && isOptional) group.destination = "nothing";
      else if (word !== undefined)
        applyControlWord(word, digits === undefined ? undefined : Number(digits));
      // Skip binary data, which may contain braces.
      if (word === "bin") tokens.lastIndex += Number(digits ?? 0);
      isOptional = symbol === "*";
    }
    if (parents.length === 0) return out;
  }
  throw unreadableFile("it is truncated");
}

/** Values of control words without a parameter. */
const defaultParameters = toMap({ v: 1, deleted: 1, uc: 1, ansicpg: 1252 });

/** Groups whose text is not part of the document's text. */
const skippedDestinations = new Set(
  [
    "colortbl stylesheet pict object objdata fldinst header headerl headerr headerf footer footerl",
    "footerr footerf listtable listoverridetable rsidtbl generator themedata datastore latentstyles",
    "author operator company manager subject keywords comment doccomm category creatim revtim",
    "printim buptim bkmkstart bkmkend xe tc private nonshppict annotation atnid atnauthor",
  ].flatMap((words) => words.split(" ")),
);

/** The characters that control words and symbols represent. */
const controlSymbols = toMap({
  ...{ par: "\n", line: "\n", sect: "\n", page: "\n", row: "\n", "\n": "\n", "\r": "\n" },
  ...{ tab: "\t", cell: "\t", "~": "\u00a0", _: "\u2011", "-": "" },
  ...{ emdash: "—", endash: "–", emspace: " ", enspace: " ", qmspace: " ", bullet: "•" },
  ...{ lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”" },
});

/** A Map, because a control word such as `constructor` is a property of every object. */
function toMap<Value>(table: Record<string, Value>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(table));
}
