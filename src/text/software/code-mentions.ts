import { elementAt } from "../arrays/element-at.ts";
import { frontmatterLength } from "../markdown/frontmatter.ts";
import { fenceMarker, readHeadings } from "../markdown/headings.ts";

/** A mention of a code identifier on a page. */
export interface CodeMention {
  /** `["Parser", "parse"]` for `Parser.parse`, `Parser::parse` and `Parser#parse`. */
  steps: string[];
  /** Counted from 1. */
  line: number;
  /** Offset in the line, in UTF-16 units from 0. */
  start: number;
  /** The source text. */
  text: string;
  /** The offset of each step in the line. */
  starts: number[];
  /** Whether it occurs in a code block, an inline code span or a heading. */
  place: "block" | "span" | "heading";
}

/** Finds identifiers in inline code, code blocks and headings; prose is ignored. */
export function findCodeMentions(lines: readonly string[]): CodeMention[] {
  const mentions: CodeMention[] = [];
  const titles = new Set([...readHeadings(lines)].map(({ line }) => line));
  const block = createCodeBlockTracker();
  for (let index = frontmatterLength(lines); index < lines.length; index++) {
    const text = elementAt(lines, index).slice(0, maxLineLength);
    const line = index + 1;
    const language = block.languageOf(text);
    if (language === "fence") continue;
    if (language !== undefined) {
      if (!dataLanguages.has(language)) mentions.push(...mentionsInCode(text, 0, line, "block"));
      continue;
    }
    const directive = text.includes("::") ? directiveName.exec(text) : null;
    if (directive) mentions.push(...mentionAt(text, directive[0].length, line, "heading"));
    const place = titles.has(line) ? "heading" : "span";
    const spans = [...codeSpansIn(text)];
    for (const span of spans) mentions.push(...mentionsInSpan(span.text, span.start, line, place));
    if (place === "heading") mentions.push(...mentionsInTitle(blankOut(text, spans), line));
  }
  return mentions;
}

/** Longer lines are generated, and are cut. */
const maxLineLength = 20_000;

/** Sphinx (`.. function:: name`) and mkdocstrings (`::: name`) directives. */
const directiveName =
  /^\s*(?:\.\. (?:\w+:)?(?:auto)?(?:function|class|method|data|attribute|exception|module)::|:::)\s+/;

/** Code blocks in these languages contain data or commands, not identifiers. */
const dataLanguages = new Set(
  "console css csv diff html ini json jsonc log mermaid output plain svg text toml txt xml yaml yml".split(
    " ",
  ),
);

/** Tracks fenced and indented code blocks line by line. */
function createCodeBlockTracker() {
  let fence: string | undefined;
  let language = "";
  let isIndented = false;
  let afterBlank = true;
  let isList = false;
  return {
    /** The language of a line of code, `fence` for a fence line, undefined for prose. */
    languageOf(text: string): string | undefined {
      const mark = fenceMarker(text.trimStart());
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

/** Inline code spans: the text between two backtick runs of equal length. */
function* codeSpansIn(line: string): Generator<{ text: string; start: number }> {
  if (!line.includes("`")) return;
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const nextByLength = new Map<number, number>();
  const closing = new Array<number | undefined>(runs.length);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = elementAt(runs, at);
    closing[at] = nextByLength.get(length);
    nextByLength.set(length, at);
  }
  for (let at = 0; at < runs.length; at++) {
    const end = closing[at];
    if (end === undefined) continue;
    const open = elementAt(runs, at);
    const start = open.index + open.length;
    yield { text: line.slice(start, elementAt(runs, end).index), start };
    at = end;
  }
}

/** Replaces the code spans of a line by spaces, so that offsets stay the same. */
function blankOut(line: string, spans: readonly { text: string; start: number }[]): string {
  let prose = "";
  for (const { text, start } of spans) {
    prose += line.slice(prose.length, start) + " ".repeat(text.length);
  }
  return prose + line.slice(prose.length);
}

const namePattern = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
const stepPattern = new RegExp(namePattern, "gu");
const dottedPattern = new RegExp(`^${namePattern}(?:\\.${namePattern})*`, "u");
const wholeTitle = new RegExp(`^${namePattern}(?:(?:\\.|::|#|->)${namePattern})*(\\(.*\\))?$`, "u");
const pathPattern = new RegExp(
  `(?<![\\p{L}\\p{N}_$/-])${namePattern}(?:(?:\\.|::|#|->)${namePattern})*`,
  "gu",
);
const wholePath = new RegExp(
  `^(?:new |await |async |def |function |class |fn |func |@)*(${namePattern}(?:(?:\\.|::|#|->)${namePattern})*)[!?]?(?=$|[(<;,:\\[])`,
  "u",
);

/** A span mentions a name if it is one or starts with a call; `npm run it` mentions none. */
function mentionsInSpan(
  code: string,
  offset: number,
  line: number,
  place: CodeMention["place"],
): CodeMention[] {
  const indent = code.length - code.trimStart().length;
  const match = wholePath.exec(code.trim());
  if (match?.[1] !== undefined) {
    const start = indent + match[0].lastIndexOf(match[1]);
    const first = createMention(match[1], offset + start, line, place);
    const end = start + match[1].length;
    if (isFileName(first, code.slice(end))) return [];
    return [first, ...mentionsInCode(code.slice(end), offset + end, line, place)];
  }
  return /[(=;{]|::|->/.test(code) ? mentionsInCode(code, offset, line, place) : [];
}

/** In code, only identifiers that are called, qualified, imported or compound count. */
function mentionsInCode(
  code: string,
  offset: number,
  line: number,
  place: CodeMention["place"],
): CodeMention[] {
  const mentions: CodeMention[] = [];
  const isImport = /^\s*(import|from|use|using|export)\b|\brequire\s*\(/.test(code);
  for (const { 0: text, index } of code.matchAll(pathPattern)) {
    const after = code.slice(index + text.length, index + text.length + 2);
    const mention = createMention(text, offset + index, line, place);
    const isName = isImport || /^\s?[!?]?[(<]/.test(after) || mention.steps.length > 1;
    if (isImport && importWords.has(text)) continue;
    if ((isName || isCompound(text)) && !isFileName(mention, after)) mentions.push(mention);
  }
  return mentions;
}

const importWords = new Set(
  "as const export from import let require type use using var".split(" "),
);

/** `open_file`, `openFile` and `Parser` count as names anywhere in code. */
const isCompound = (word: string): boolean =>
  /^\p{Lu}|[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_\p{L}/u.test(word);

/** In a heading: a title that is a single name, calls, and camel or snake case names. */
function mentionsInTitle(prose: string, line: number): CodeMention[] {
  const isSingleName = wholeTitle.test(stripHashes(prose));
  const mentions: CodeMention[] = [];
  for (const { 0: text, index } of prose.matchAll(pathPattern)) {
    const isCalled = prose[index + text.length] === "(";
    const isSpecial = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_\p{L}/u.test(text);
    const mention = createMention(text, index, line, "heading");
    if (isFileName(mention, prose.slice(index + text.length))) continue;
    if (isCalled || isSpecial || (isSingleName && mentions.length === 0)) mentions.push(mention);
  }
  return mentions;
}

/** Strips the hashes around a heading, in linear time. */
const stripHashes = (heading: string): string =>
  heading
    .trim()
    .replace(/^#+/, "")
    .replace(/(?<!#)#+$/, "")
    .trim();

function mentionAt(
  text: string,
  start: number,
  line: number,
  place: CodeMention["place"],
): CodeMention[] {
  const match = dottedPattern.exec(text.slice(start));
  return match ? [createMention(match[0], start, line, place)] : [];
}

function createMention(
  text: string,
  start: number,
  line: number,
  place: CodeMention["place"],
): CodeMention {
  const steps: string[] = [];
  const starts: number[] = [];
  for (const { 0: word, index } of text.matchAll(stepPattern)) {
    const sigil = word.startsWith("$") && word.length > 1 ? 1 : 0;
    steps.push(word.slice(sigil));
    starts.push(start + index + sigil);
  }
  return { steps, line, start, text, starts, place };
}

/** `walk.ts` is a file name, not a member `ts`. */
const isFileName = ({ steps }: CodeMention, after: string): boolean =>
  steps.length > 1 &&
  !after.startsWith("(") &&
  fileExtensions.has(elementAt(steps, steps.length - 1));

const fileExtensions = new Set(
  "c cfg cjs cpp cs css csv go h hpp html ini java jpg js json jsx lock md mdx mjs php png py rb rs rst sh sql svg toml ts tsx txt wasm xml yaml yml".split(
    " ",
  ),
);
