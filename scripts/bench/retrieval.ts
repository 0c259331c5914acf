import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { dataFolder } from "./corpus.ts";
import { environment, program } from "./home.ts";
import { type Demand, type Section, table } from "./page.ts";
import { bars } from "./plot.ts";

/** What `lectern eval --json` says about one set. */
interface Evaluation {
  set: string;
  documents: number;
  queries: number;
  ndcg10: number;
  recall100: number;
  hit1: number;
}

const folders = [
  "scifact",
  "docs-qa",
  "jaquad-ja",
  "cmrc2018-zh-hans",
  "drcd-zh-hant",
  "xquad",
] as const;
const quickFolders = ["docs-qa", "cmrc2018-zh-hans"] as const;

/** nDCG@10 that a search must reach. */
const needed = new Map([
  ["scifact", 0.7],
  ["docs-qa", 0.7],
  ["jaquad-ja", 0.91],
  ["cmrc2018-zh-hans", 0.98],
  ["drcd-zh-hant", 0.96],
  ["xquad de", 0.93],
  ["xquad ru", 0.89],
  ["xquad th", 0.87],
]);

/** How well `search` finds what people judged to be an answer. */
export async function measureRetrieval(place: string, quick: boolean): Promise<Section> {
  const waiting = [...(quick ? quickFolders : folders)];
  const found: Evaluation[] = [];
  const problems: string[] = [];
  // Two at once: quality does not depend on how busy the machine is.
  const lane = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const folder = dataFolder(name);
      if (!folder) {
        problems.push(`${name} was left out: its data does not lie beside this repository.`);
        continue;
      }
      await evaluate(folder, join(place, `eval-${name}`)).then(
        (rows) => found.push(...rows),
        (error) => problems.push(`${name} could not be measured: ${reasonOf(error)}`),
      );
    }
  };
  await Promise.all([lane(), lane()]);
  const rows = found
    .sort((a, b) => orderOf(a) - orderOf(b) || (a.set < b.set ? -1 : 1))
    .map(({ set, documents, queries, ndcg10, recall100, hit1 }) => [
      set,
      documents,
      queries,
      ndcg10.toFixed(3),
      needed.get(set)?.toFixed(2) ?? "",
      recall100.toFixed(3),
      hit1.toFixed(3),
    ]);
  const head = ["set", "documents", "questions", "nDCG@10", "needed", "recall@100", "hit@1"];
  const skipped = quick ? ["`--quick` measures two of the sets."] : [];
  const drawn = found.map(({ set, ndcg10 }) => ({
    label: set,
    value: ndcg10,
    shown: ndcg10.toFixed(3),
  }));
  return {
    title: "Retrieval",
    text: [
      "`lectern eval` on judged sets: keyword search as every caller gets it, no model.",
      rows.length > 0 ? table(head, rows) : "",
      ...problems,
      ...skipped,
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    demands: [...needed].map(([set, least]): Demand => {
      const row = found.find((evaluation) => evaluation.set === set);
      return {
        what: `nDCG@10 on ${set}`,
        needed: `at least ${least.toFixed(2)}`,
        measured: row && { figure: row.ndcg10.toFixed(3), isReached: row.ndcg10 >= least },
      };
    }),
    plots: drawn.length > 0 ? [bars("retrieval", "nDCG@10 of keyword search", drawn)] : [],
  };
}

const orderOf = ({ set }: Evaluation): number =>
  folders.findIndex((folder) => set.startsWith(folder));

async function evaluate(folder: string, home: string): Promise<Evaluation[]> {
  const words = [program, "eval", folder, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: environment(home) });
  return JSON.parse(stdout);
}

const reasonOf = (error: { stderr?: string; message: string }): string =>
  (error.stderr || error.message).trim().split("\n").at(-1) ?? "";
