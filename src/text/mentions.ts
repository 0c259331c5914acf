import { frontmatterLength } from "./frontmatter.ts";
import { fenceMark, headingsOf } from "./headings.ts";

/** A name of code that a page speaks of. */
export interface Mention {
  /** `["Parser", "parse"]` for `Parser.parse`, `Parser::parse` and `Parser#parse`. */
  steps: string[];
  /** Counted from one. */
  line: number;
  /** Where it begins in its line, in UTF-16 units from zero. */
  start: number;
  /** As it stands there. */
  text: string;
  /** Where each step begins in its line. */
  starts: number[];
  /** Whether it stands in a stretch of code, as code within a line, or in a heading. */
  place: "block" | "span" | "heading";
}

/**
 * The names of code on a page: in code within lines, in stretches of code, and in headings. What
 * stands in ordinary sentences is no name, whatever it looks like.
 */
export function mentionsIn(lines: readonly string[]): Mention[] {
  const mentions: Mention[] = [];
  const titles = new Set([...headingsOf(lines)].map(({ line }) => line));
  const block = makeBlockReader();
  for (let index = frontmatterLength(lines); index < lines.length; index++) {
    const text = (lines[index] ?? "").slice(0, longestLine);
    const line = index + 1;
    const language = block.languageOf(text);
    if (language === "fence") continue;
    if (language !== undefined) {
      if (!dataLanguages.has(language)) mentions.push(...inCode(text, 0, line, "block"));
      continue;
    }
    const directive = text.includes("::") ? directiveName.exec(text) : null;
    if (directive) mentions.push(...nameAt(text, directive[0].length, line, "heading"));
    const place = titles.has(line) ? "heading" : "span";
    const spans = [...codeSpansIn(text)];
    for (const span of spans) mentions.push(...inSpan(span.text, span.start, line, place));
    if (place === "heading") mentions.push(...inTitle(blanked(text, spans), line));
  }
  return mentions;
}

/** A line that no person wrote is not read to its end. */
const longestLine = 20_000;

/** Sphinx names what it documents by `.. function:: name`, mkdocstrings by `::: name`. */
const directiveName =
  /^\s*(?:\.\. (?:\w+:)?(?:auto)?(?:function|class|method|data|attribute|exception|module)::|:::)\s+/;

/** Stretches in these languages hold values and commands, and no names of code. */
const dataLanguages = new Set(
  "console css csv diff html ini json jsonc log mermaid output plain svg text toml txt xml yaml yml".split(
    " ",
  ),
);

/** Follows fences and indented code from line to line. */
function makeBlockReader() {
  let fence: string | undefined;
  let language = "";
  let isIndented = false;
  let afterBlank = true;
  let isList = false;
  return {
    /** The language of code that a line belongs to, `fence` for its border, nothing for prose. */
    languageOf(text: string): string | undefined {
      const mark = fenceMark(text.trimStart());
      if (fence) {
        if (mark?.startsWith(fence) && text.trim() === mark) {
          fence = undefined;
          return "fence";
        }
        return language;
      }
      if (mark) {
        fence = mark;
        language = /^[`~]+\s*\{?\.?([\w+-]*)/.exec(text.trimStart())?.[1]?.toLowerCase() ?? "";
        isIndented = false;
        return "fence";
      }
      const isBlank = text.trim() === "";
      const isDeep = /^( {4}|\t)/.test(text);
      if (isBlank) {
        afterBlank = true;
        return undefined;
      }
      if (!isDeep) isList = /^\s*([-*+]|\d+[.)])\s/.test(text) || (isList && /^\s/.test(text));
      isIndented = isDeep && !isList && (isIndented || afterBlank);
      afterBlank = false;
      return isIndented ? "code" : undefined;
    },
  };
}

/** Code within a line: the text between two rows of equally many backticks. */
function* codeSpansIn(line: string): Generator<{ text: string; start: number }> {
  if (!line.includes("`")) return;
  const rows = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const next = new Map<number, number>();
  const closing = new Array<number | undefined>(rows.length);
  for (let at = rows.length - 1; at >= 0; at--) {
    const length = rows[at]?.length ?? 0;
    closing[at] = next.get(length);
    next.set(length, at);
  }
  for (let at = 0; at < rows.length; at++) {
    const [open, end] = [rows[at], closing[at]];
    const close = end === undefined ? undefined : rows[end];
    if (!open || !close || end === undefined) continue;
    const start = open.index + open.length;
    yield { text: line.slice(start, close.index), start };
    at = end;
  }
}

/** A line with spaces in the place of its code, so that all else stands where it stood. */
function blanked(line: string, spans: readonly { text: string; start: number }[]): string {
  let prose = "";
  for (const { text, start } of spans) {
    prose += line.slice(prose.length, start) + " ".repeat(text.length);
  }
  return prose + line.slice(prose.length);
}

const name = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
const step = new RegExp(name, "gu");
const dotted = new RegExp(`^${name}(?:\\.${name})*`, "u");
const wholeTitle = new RegExp(`^${name}(?:(?:\\.|::|#|->)${name})*(\\(.*\\))?$`, "u");
const path = new RegExp(`(?<![\\p{L}\\p{N}_$/-])${name}(?:(?:\\.|::|#|->)${name})*`, "gu");
const wholePath = new RegExp(
  `^(?:new |await |async |def |function |class |fn |func |@)*(${name}(?:(?:\\.|::|#|->)${name})*)[!?]?(?=$|[(<;,:\\[])`,
  "u",
);

/** A span that is one name, or begins with one that is called, speaks of it; `npm run it` does not. */
function inSpan(code: string, offset: number, line: number, place: Mention["place"]): Mention[] {
  const lead = code.length - code.trimStart().length;
  const found = wholePath.exec(code.trim());
  if (found?.[1] !== undefined) {
    const start = lead + found[0].lastIndexOf(found[1]);
    const first = mentionOf(found[1], offset + start, line, place);
    const end = start + found[1].length;
    if (isFileName(first, code.slice(end))) return [];
    return [first, ...inCode(code.slice(end), offset + end, line, place)];
  }
  return /[(=;{]|::|->/.test(code) ? inCode(code, offset, line, place) : [];
}

/** In code a word alone may be anything; one that is called, qualified or compound is a name. */
function inCode(code: string, offset: number, line: number, place: Mention["place"]): Mention[] {
  const mentions: Mention[] = [];
  const isImport = /^\s*(import|from|use|using|export)\b|\brequire\s*\(/.test(code);
  for (const { 0: text, index } of code.matchAll(path)) {
    const after = code.slice(index + text.length, index + text.length + 2);
    const mention = mentionOf(text, offset + index, line, place);
    const isName = isImport || /^\s?[!?]?[(<]/.test(after) || mention.steps.length > 1;
    if (isImport && importWords.has(text)) continue;
    if ((isName || isCompound(text)) && !isFileName(mention, after)) mentions.push(mention);
  }
  return mentions;
}

const importWords = new Set(
  "as const export from import let require type use using var".split(" "),
);

/** `open_file`, `openFile` and `Parser` are names in code wherever they stand. */
const isCompound = (word: string): boolean =>
  /^\p{Lu}|[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_\p{L}/u.test(word);

/** A title that is a single name, and names in it that no sentence has. */
function inTitle(prose: string, line: number): Mention[] {
  const isOne = wholeTitle.test(titleOf(prose));
  const mentions: Mention[] = [];
  for (const { 0: text, index } of prose.matchAll(path)) {
    const isCalled = prose[index + text.length] === "(";
    const isSpecial = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_\p{L}/u.test(text);
    const mention = mentionOf(text, index, line, "heading");
    if (isFileName(mention, prose.slice(index + text.length))) continue;
    if (isCalled || isSpecial || (isOne && mentions.length === 0)) mentions.push(mention);
  }
  return mentions;
}

/** A heading without the signs around it; no sign and no space of it is looked at twice. */
const titleOf = (heading: string): string =>
  heading
    .trim()
    .replace(/^#+/, "")
    .replace(/(?<!#)#+$/, "")
    .trim();

function nameAt(text: string, start: number, line: number, place: Mention["place"]): Mention[] {
  const found = dotted.exec(text.slice(start));
  return found ? [mentionOf(found[0], start, line, place)] : [];
}

function mentionOf(text: string, start: number, line: number, place: Mention["place"]): Mention {
  const steps: string[] = [];
  const starts: number[] = [];
  for (const { 0: word, index } of text.matchAll(step)) {
    const sign = word.startsWith("$") && word.length > 1 ? 1 : 0;
    steps.push(word.slice(sign));
    starts.push(start + index + sign);
  }
  return { steps, line, start, text, starts, place };
}

/** `walk.ts` is a file and no member `ts` of something. */
const isFileName = ({ steps }: Mention, after: string): boolean =>
  steps.length > 1 && !after.startsWith("(") && fileEndings.has(steps.at(-1) ?? "");

const fileEndings = new Set(
  "c cfg cjs cpp cs css csv go h hpp html ini java jpg js json jsx lock md mdx mjs php png py rb rs rst sh sql svg toml ts tsx txt wasm xml yaml yml".split(
    " ",
  ),
);
