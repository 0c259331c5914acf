import { elementAt } from "../arrays/element-at.ts";
import { frontmatterFacts, frontmatterLength } from "../markdown/frontmatter.ts";
import { documentTitle, fenceMarker, readHeadings } from "../markdown/headings.ts";

/** The four documentation types of Diátaxis. */
export const diataxisTypes = ["tutorial", "how-to", "reference", "explanation"] as const;

export type DiataxisType = (typeof diataxisTypes)[number];

/** Evidence that a page is of a type. */
interface DiataxisEvidence {
  type: DiataxisType;
  /** From 10 for an explicit declaration in front matter to 1 for a phrase. */
  weight: number;
  /** Counted from 1; null for evidence in the path. */
  line: number | null;
  /** A description for the user: `title "How to reset a lamp"`. */
  seen: string;
}

export interface DiataxisGuess {
  type: DiataxisType | "unknown";
  /** From 0 to 1: combines the lead over the second type with the amount of evidence. */
  confidence: number;
  weights: Record<DiataxisType, number>;
  /** For all types, heaviest first. */
  evidence: DiataxisEvidence[];
}

/** With less weight than this, the type is unknown. */
const minWeight = 2;

/** Only this many lines are read. */
const maxLines = 1_000;

/**
 * Classifies a page by its front matter, path, title, headings, wording and structure. The wording
 * rules are English; pages in other languages are classified by path and structure only.
 */
export function classifyDiataxis(path: string, lines: readonly string[]): DiataxisGuess {
  const page = lines.slice(0, maxLines);
  const evidence = [
    ...evidenceInFrontmatter(page),
    ...evidenceInPath(path),
    ...evidenceInTitle(page, path),
    ...evidenceInHeadings(page),
    ...evidenceInBody(page),
  ];
  const weights = { tutorial: 0, "how-to": 0, reference: 0, explanation: 0 };
  for (const { type, weight } of evidence) weights[type] += weight;
  const [best, second] = [...diataxisTypes].sort((a, b) => weights[b] - weights[a]);
  evidence.sort((a, b) => b.weight - a.weight);
  if (!best || !second || weights[best] < minWeight || weights[best] === weights[second]) {
    return { type: "unknown", confidence: 0, weights, evidence };
  }
  const lead = weights[best] / (weights[best] + weights[second]);
  const strength = Math.min(1, weights[best] / 5);
  return { type: best, confidence: Math.round(lead * strength * 100) / 100, weights, evidence };
}

/** The type named by a folder, a category or a front matter value. */
export function diataxisTypeNamed(word: string): DiataxisType | undefined {
  const plain = word.toLowerCase().replace(/^\d+[-_. ]+/, "");
  return diataxisTypes.find((type) => typeNamePatterns[type].test(plain));
}

const typeNamePatterns: Record<DiataxisType, RegExp> = {
  tutorial: /^(tutorials?|getting[-_ ]?started|quick[-_ ]?start|learn|lessons?|first[-_ ]steps)$/,
  "how-to":
    /^(how[-_ ]?tos?|how[-_ ]?to[-_ ]?guides?|guides?|recipes?|cookbooks?|tasks?|troubleshooting)$/,
  reference: /^(references?|api|apis|cli|commands?|config|configuration|glossary|changelog|spec)$/,
  explanation:
    /^(explanations?|concepts?|architecture|background|design|internals|discussions?|adrs?|decisions|about)$/,
};

const typeKeyPattern = /^(diataxis|diataxis_type|doc_type|content_type|type|category)$/i;

function* evidenceInFrontmatter(lines: readonly string[]): Generator<DiataxisEvidence> {
  for (const { key, value } of frontmatterFacts(lines)) {
    const type = typeKeyPattern.test(key) ? diataxisTypeNamed(value) : undefined;
    if (!type) continue;
    const line = lines.findIndex((text) => text.trimStart().startsWith(key)) + 1;
    yield { type, weight: 10, line: line || null, seen: `front matter ${key}: ${value}` };
  }
}

function* evidenceInPath(path: string): Generator<DiataxisEvidence> {
  const parts = path.split("/");
  const name = (parts.pop() ?? "").replace(/\.[^.]+$/, "");
  // The innermost folder that names a type wins: `guides/reference/` contains reference.
  for (const folder of parts.reverse()) {
    const type = diataxisTypeNamed(folder);
    if (!type) continue;
    yield { type, weight: 3, line: null, seen: `folder ${folder}/` };
    break;
  }
  const type = diataxisTypeNamed(name);
  if (type) yield { type, weight: 2, line: null, seen: `file name ${name}` };
  else if (/^how[-_]to[-_]/i.test(name)) {
    yield { type: "how-to", weight: 2, line: null, seen: `file name ${name}` };
  }
}

type WordingRule = readonly [DiataxisType, number, RegExp];

const titleRules: readonly WordingRule[] = [
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

function* evidenceInTitle(lines: readonly string[], path: string): Generator<DiataxisEvidence> {
  const title = documentTitle(lines, path);
  const first = readHeadings(lines).next().value;
  const line = first?.title === title ? first.line : null;
  const rule = titleRules.find(([, , pattern]) => pattern.test(title));
  if (rule) yield { type: rule[0], weight: rule[1], line, seen: `title "${title}"` };
}

const headingRules: readonly WordingRule[] = [
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

/** A rule counts at most this often per page. */
const maxPerRule = 3;

function* evidenceInHeadings(lines: readonly string[]): Generator<DiataxisEvidence> {
  const matchCounts = new Map<WordingRule, number>();
  for (const { title, line } of readHeadings(lines)) {
    const plain = title.replace(/[*_`]/g, "").replace(/^\d+[.)]\s*/, "");
    const rule = headingRules.find(([, , pattern]) => pattern.test(plain));
    if (!rule) continue;
    const count = (matchCounts.get(rule) ?? 0) + 1;
    matchCounts.set(rule, count);
    if (count <= maxPerRule) {
      yield { type: rule[0], weight: rule[1], line, seen: `heading "${plain}"` };
    }
  }
}

const phraseRules: readonly WordingRule[] = [
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

function* evidenceInBody(lines: readonly string[]): Generator<DiataxisEvidence> {
  const matches = new Map<WordingRule, { line: number; text: string; count: number }>();
  const counts = { steps: 0, rows: 0, prose: 0, code: 0, other: 0 };
  const firstLines = { steps: 0, rows: 0, prose: 0 };
  let fence: string | undefined;
  for (let at = frontmatterLength(lines); at < lines.length; at++) {
    const line = elementAt(lines, at);
    const mark = fenceMarker(line);
    if (fence ? mark?.startsWith(fence) : mark) {
      fence = fence ? undefined : mark;
      continue;
    }
    if (fence) {
      counts.code++;
      continue;
    }
    const form = lineFormOf(line);
    if (form === undefined) continue;
    counts[form]++;
    if (form !== "other" && firstLines[form] === 0) firstLines[form] = at + 1;
    if (line.length > 2_000) continue;
    for (const rule of phraseRules) {
      if (!rule[2].test(line)) continue;
      const match = matches.get(rule);
      if (match) match.count++;
      else matches.set(rule, { line: at + 1, text: line.trim().slice(0, 80), count: 1 });
    }
  }
  for (const [[type, weight], { line, text, count }] of matches) {
    // Words such as "because" are evidence only if they are frequent.
    if (type === "explanation" && count < 3) continue;
    yield { type, weight, line, seen: `wording "${text}"` };
  }
  if (counts.steps >= 3) {
    const seen = `${counts.steps} numbered steps`;
    yield { type: "how-to", weight: 1.5, line: firstLines.steps, seen };
    yield { type: "tutorial", weight: 1, line: firstLines.steps, seen };
  }
  const otherLines = counts.prose + counts.other;
  if (counts.rows >= 4 && counts.rows * 2 > otherLines) {
    yield {
      type: "reference",
      weight: 2,
      line: firstLines.rows,
      seen: `${counts.rows} rows of tables`,
    };
  }
  if (
    counts.prose >= 6 &&
    counts.steps === 0 &&
    counts.rows === 0 &&
    counts.code < counts.prose / 2
  ) {
    yield { type: "explanation", weight: 1, line: firstLines.prose, seen: "mostly running text" };
  }
}

/** The form of a line; undefined for blank lines, headings and table delimiters. */
function lineFormOf(line: string): "steps" | "rows" | "prose" | "other" | undefined {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return undefined;
  if (/^\d{1,3}[.)]\s/.test(text)) return "steps";
  if (text.startsWith("|") && text.endsWith("|") && text.length > 2) {
    return /^[|:\-\s]+$/.test(text) ? undefined : "rows";
  }
  return /^[\p{L}*_`"[]/u.test(text) && text.length >= 40 ? "prose" : "other";
}
