import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "../kernel/failure.ts";

/** Documents, questions, and which documents answer which question. */
export interface JudgedSet {
  name: string;
  documents: { id: string; title?: string; text: string }[];
  queries: { id: string; text: string }[];
  /** Query → document → how relevant. */
  judgements: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * The sets of a folder: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`; with several languages,
 * `corpus.de.jsonl` and `queries.de.jsonl` for each.
 */
export function setsIn(folder: string, language: string | undefined): JudgedSet[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const all = names
    .filter((name) => /^corpus(\..+)?\.jsonl$/.test(name))
    .map((name) => name.slice("corpus".length, -"jsonl".length));
  const found = all.filter((infix) => language === undefined || infix === `.${language}.`);
  if (found.length === 0 || !names.includes("qrels.tsv")) {
    const problem = all.length > 0 ? "no set of that language" : "no judged set";
    throw new Failure("not-found", "not-found", `There is ${problem} in that folder.`, {
      hints: ["A set is corpus.jsonl, queries.jsonl and qrels.tsv."],
    });
  }
  const judgements = readJudgements(join(folder, "qrels.tsv"));
  return found.map((infix) => ({
    name: [basename(folder), infix.replaceAll(".", "")].filter((part) => part !== "").join(" "),
    documents: readLines(join(folder, `corpus${infix}jsonl`)),
    queries: readLines(join(folder, `queries${infix}jsonl`)),
    judgements,
  }));
}

/** Writes each document as people would have it: a Markdown file with its title as heading. */
export function writeDocuments({ documents }: JudgedSet, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { id, title, text } of documents) {
    const heading = title ? `# ${title}\n\n` : "";
    writeFileSync(join(folder, `${encodeURIComponent(id)}.md`), `${heading}${text}\n`);
  }
}

export const idOfFile = (file: string): string =>
  decodeURIComponent(basename(file).replace(/\.md$/, ""));

function readLines<Row>(file: string): Row[] {
  const lines = readFileSync(file, "utf8").split("\n");
  // The sets are ours to choose; a row that lacks something shows itself in the figures at once.
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Row);
}

function readJudgements(file: string): JudgedSet["judgements"] {
  const judgements = new Map<string, Map<string, number>>();
  for (const line of readFileSync(file, "utf8").split("\n").slice(1)) {
    const [query, document, relevance] = line.split("\t");
    if (!query || !document || !(Number(relevance) > 0)) continue;
    const known = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, known.set(document, Number(relevance)));
  }
  return judgements;
}
