import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "../../kernel/failure.ts";

/** A test collection: documents, queries and relevance judgements. */
export interface JudgedSet {
  name: string;
  documents: { id: string; title?: string; text: string }[];
  queries: { id: string; text: string }[];
  /** Query id → document id → relevance grade. */
  judgements: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * Reads the sets of a folder: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`. If there are several
 * languages, each has its own files, such as `corpus.de.jsonl` and `queries.de.jsonl`.
 */
export function readJudgedSets(folder: string, language: string | undefined): JudgedSet[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const all = names
    .filter((name) => /^corpus(\..+)?\.jsonl$/.test(name))
    .map((name) => name.slice("corpus".length, -"jsonl".length));
  const chosen = all.filter((infix) => language === undefined || infix === `.${language}.`);
  if (chosen.length === 0 || !names.includes("qrels.tsv")) {
    const problem = all.length > 0 ? "no set in that language" : "no judged set";
    throw new Failure("not-found", "not-found", `There is ${problem} in that folder.`, {
      hints: ["A set is corpus.jsonl, queries.jsonl and qrels.tsv."],
    });
  }
  const judgements = readJudgements(join(folder, "qrels.tsv"));
  return chosen.map((infix) => ({
    name: [basename(folder), infix.replaceAll(".", "")].filter((part) => part !== "").join(" "),
    documents: readJsonLines(join(folder, `corpus${infix}jsonl`)),
    queries: readJsonLines(join(folder, `queries${infix}jsonl`)),
    judgements,
  }));
}

/** Writes each document as a Markdown file with its title as heading. */
export function writeSetDocuments({ documents }: JudgedSet, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { id, title, text } of documents) {
    const heading = title ? `# ${title}\n\n` : "";
    writeFileSync(join(folder, `${encodeURIComponent(id)}.md`), `${heading}${text}\n`);
  }
}

export const documentIdOf = (file: string): string =>
  decodeURIComponent(basename(file).replace(/\.md$/, ""));

function readJsonLines<Row>(file: string): Row[] {
  const lines = readFileSync(file, "utf8").split("\n");
  // Rows are not validated: a missing field is obvious from the results.
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Row);
}

function readJudgements(file: string): JudgedSet["judgements"] {
  const judgements = new Map<string, Map<string, number>>();
  for (const line of readFileSync(file, "utf8").split("\n").slice(1)) {
    const [query, document, relevance] = line.split("\t");
    if (!query || !document || !(Number(relevance) > 0)) continue;
    const grades = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, grades.set(document, Number(relevance)));
  }
  return judgements;
}
