import { factsOf, frontmatterLength } from "./frontmatter.ts";
import { fenceMark, headingsOf, titleOf } from "./headings.ts";

/** The four kinds of documentation, by what a reader wants: to learn, to do, to look up, to understand. */
export const diataxisTypes = ["tutorial", "how-to", "reference", "explanation"] as const;

export type DiataxisType = (typeof diataxisTypes)[number];

/** Something on a page that speaks for a kind. */
interface DiataxisSign {
  type: DiataxisType;
  /** How much it says: 10 for the author's own word, 1 for a turn of phrase. */
  weight: number;
  /** Counted from one; a name of a folder or file stands on no line. */
  line: number | null;
  /** What was seen: `title "How to reset a lamp"`. */
  seen: string;
}

export interface DiataxisGuess {
  type: DiataxisType | "unknown";
  /** From 0 to 1: how far the best kind is ahead, and on how much it rests. */
  confidence: number;
  weights: Record<DiataxisType, number>;
  /** For every kind, the heaviest first. */
  evidence: DiataxisSign[];
}

/** Less than this is a chance word and no evidence. */
const leastWeight = 2;

/** A page shows what it is long before this; the rest is not read. */
const mostLines = 1_000;

/**
 * What kind of page this is, guessed from what the author says of it, its folder and name, its
 * title and headings, and how it is written. The words are English; other pages are told by their
 * folders and their form.
 */
export function diataxisOf(path: string, lines: readonly string[]): DiataxisGuess {
  const page = lines.slice(0, mostLines);
  const signs = [
    ...saidByAuthor(page),
    ...inPath(path),
    ...inTitle(page, path),
    ...inHeadings(page),
    ...inBody(page),
  ];
  const weights = { tutorial: 0, "how-to": 0, reference: 0, explanation: 0 };
  for (const { type, weight } of signs) weights[type] += weight;
  const [best, second] = [...diataxisTypes].sort((a, b) => weights[b] - weights[a]);
  const evidence = signs.sort((a, b) => b.weight - a.weight);
  if (!best || !second || weights[best] < leastWeight || weights[best] === weights[second]) {
    return { type: "unknown", confidence: 0, weights, evidence };
  }
  const lead = weights[best] / (weights[best] + weights[second]);
  const ground = Math.min(1, weights[best] / 5);
  return { type: best, confidence: Math.round(lead * ground * 100) / 100, weights, evidence };
}

/** The kind that a word of a folder, a category or front matter names. */
export function diataxisNamed(word: string): DiataxisType | undefined {
  const plain = word.toLowerCase().replace(/^\d+[-_. ]+/, "");
  return diataxisTypes.find((type) => names[type].test(plain));
}

const names: Record<DiataxisType, RegExp> = {
  tutorial: /^(tutorials?|getting[-_ ]?started|quick[-_ ]?start|learn|lessons?|first[-_ ]steps)$/,
  "how-to":
    /^(how[-_ ]?tos?|how[-_ ]?to[-_ ]?guides?|guides?|recipes?|cookbooks?|tasks?|troubleshooting)$/,
  reference: /^(references?|api|apis|cli|commands?|config|configuration|glossary|changelog|spec)$/,
  explanation:
    /^(explanations?|concepts?|architecture|background|design|internals|discussions?|adrs?|decisions|about)$/,
};

const keys = /^(diataxis|diataxis_type|doc_type|content_type|type|category)$/i;

function* saidByAuthor(lines: readonly string[]): Generator<DiataxisSign> {
  for (const { key, value } of factsOf(lines)) {
    const type = keys.test(key) ? diataxisNamed(value) : undefined;
    if (!type) continue;
    const line = lines.findIndex((text) => text.trimStart().startsWith(key)) + 1;
    yield { type, weight: 10, line: line || null, seen: `front matter ${key}: ${value}` };
  }
}

function* inPath(path: string): Generator<DiataxisSign> {
  const parts = path.split("/");
  const name = (parts.pop() ?? "").replace(/\.[^.]+$/, "");
  // The innermost folder that names a kind decides: `guides/reference/` holds reference.
  for (const folder of parts.reverse()) {
    const type = diataxisNamed(folder);
    if (!type) continue;
    yield { type, weight: 3, line: null, seen: `folder ${folder}/` };
    break;
  }
  const type = diataxisNamed(name);
  if (type) yield { type, weight: 2, line: null, seen: `file name ${name}` };
  else if (/^how[-_]to[-_]/i.test(name)) {
    yield { type: "how-to", weight: 2, line: null, seen: `file name ${name}` };
  }
}

type Wording = readonly [DiataxisType, number, RegExp];

const titles: readonly Wording[] = [
  ["how-to", 3, /^how (to|do (i|we|you)|can (i|we|you))\b/i],
  [
    "tutorial",
    3,
    /\b(tutorial|getting started|quick ?start|your first|first steps|walkthrough)\b/i,
  ],
  ["tutorial", 2, /^(learn|build (a|an|your)|let's)\b/i],
  ["reference", 3, /\b(reference|api|glossary|changelog|release notes|specification)\b/i],
  ["reference", 2, /\b(options|commands?|cli|configuration|settings|parameters|error codes)\b/i],
  ["explanation", 3, /^(why|about|understanding)\b|\b(explained|concepts?|rationale)\b/i],
  [
    "explanation",
    2,
    /\b(architecture|background|design|internals|principles|how .{1,60} works?)\b/i,
  ],
  [
    "how-to",
    2,
    /^(add|change|configure|connect|create|debug|deploy|enable|export|fix|import|install|migrate|move|publish|remove|rename|reset|restore|run|set up|test|troubleshoot|update|upgrade|use)(ing)?\b/i,
  ],
];

function* inTitle(lines: readonly string[], path: string): Generator<DiataxisSign> {
  const title = titleOf(lines, path);
  const first = headingsOf(lines).next().value;
  const line = first?.title === title ? first.line : null;
  const fit = titles.find(([, , words]) => words.test(title));
  if (fit) yield { type: fit[0], weight: fit[1], line, seen: `title "${title}"` };
}

const headings: readonly Wording[] = [
  ["tutorial", 2, /^what you('ll| will) (learn|build|need)/i],
  ["tutorial", 1, /^(step \d+|next steps|before you (begin|start))\b/i],
  ["how-to", 1, /^(prerequisites|steps|troubleshooting|problem|solution|verify|procedure)\b/i],
  [
    "reference",
    1.5,
    /^(parameters|options|arguments|returns?|fields|properties|attributes|methods|syntax|flags|exit codes|error codes|errors|environment variables|default values|schema)\b/i,
  ],
  [
    "explanation",
    1.5,
    /^(why|background|rationale|motivation|context|trade-?offs|alternatives|consequences|history|design|further reading)\b/i,
  ],
];

/** A page says the same at most three times: the tenth list of options proves no more. */
const mostOfOneKind = 3;

function* inHeadings(lines: readonly string[]): Generator<DiataxisSign> {
  const seen = new Map<Wording, number>();
  for (const { title, line } of headingsOf(lines)) {
    const plain = title.replace(/[*_`]/g, "").replace(/^\d+[.)]\s*/, "");
    const fit = headings.find(([, , words]) => words.test(plain));
    if (!fit) continue;
    const times = (seen.get(fit) ?? 0) + 1;
    seen.set(fit, times);
    if (times <= mostOfOneKind) {
      yield { type: fit[0], weight: fit[1], line, seen: `heading "${plain}"` };
    }
  }
}

const phrases: readonly Wording[] = [
  [
    "tutorial",
    2,
    /\b(in this tutorial|we('ll| will) (build|create|make|learn|start|write|add)|let's|you('ll| will) (learn|build)|by the end of)\b/i,
  ],
  [
    "how-to",
    1.5,
    /\bthis (guide|page) (shows|explains|describes) (you )?how to\b|^to [a-z]+ .{3,80}[,:]/i,
  ],
  [
    "explanation",
    1,
    /\b(because|therefore|trade-?offs?|the reason|in contrast|historically|rather than)\b/i,
  ],
];

function* inBody(lines: readonly string[]): Generator<DiataxisSign> {
  const first = new Map<Wording, { line: number; text: string; times: number }>();
  const counts = { steps: 0, rows: 0, prose: 0, code: 0, other: 0 };
  const begins = { steps: 0, rows: 0, prose: 0 };
  let fence: string | undefined;
  for (let at = frontmatterLength(lines); at < lines.length; at++) {
    const line = lines[at] ?? "";
    const mark = fenceMark(line);
    if (fence ? mark?.startsWith(fence) : mark) {
      fence = fence ? undefined : mark;
      continue;
    }
    if (fence) {
      counts.code++;
      continue;
    }
    const form = formOf(line);
    if (form === undefined) continue;
    counts[form]++;
    if (form !== "other" && begins[form] === 0) begins[form] = at + 1;
    if (line.length > 2_000) continue;
    for (const wording of phrases) {
      if (!wording[2].test(line)) continue;
      const known = first.get(wording);
      if (known) known.times++;
      else first.set(wording, { line: at + 1, text: line.trim().slice(0, 80), times: 1 });
    }
  }
  for (const [[type, weight], { line, text, times }] of first) {
    // One "because" is in every text; only several are a manner of writing.
    if (type === "explanation" && times < 3) continue;
    yield { type, weight, line, seen: `wording "${text}"` };
  }
  if (counts.steps >= 3) {
    const seen = `${counts.steps} numbered steps`;
    yield { type: "how-to", weight: 1.5, line: begins.steps, seen };
    yield { type: "tutorial", weight: 1, line: begins.steps, seen };
  }
  const told = counts.prose + counts.other;
  if (counts.rows >= 4 && counts.rows * 2 > told) {
    yield {
      type: "reference",
      weight: 2,
      line: begins.rows,
      seen: `${counts.rows} rows of tables`,
    };
  }
  if (
    counts.prose >= 6 &&
    counts.steps === 0 &&
    counts.rows === 0 &&
    counts.code < counts.prose / 2
  ) {
    yield { type: "explanation", weight: 1, line: begins.prose, seen: "mostly running text" };
  }
}

/** A line by how it looks; undefined for one that says nothing. */
function formOf(line: string): "steps" | "rows" | "prose" | "other" | undefined {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return undefined;
  if (/^\d{1,3}[.)]\s/.test(text)) return "steps";
  if (text.startsWith("|") && text.endsWith("|") && text.length > 2) {
    return /^[|:\-\s]+$/.test(text) ? undefined : "rows";
  }
  return /^[\p{L}*_`"[]/u.test(text) && text.length >= 40 ? "prose" : "other";
}
