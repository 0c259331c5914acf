import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { dataFolder } from "./corpus.ts";
import { environment, program } from "./home.ts";
import { type Section, type Target, table } from "./page.ts";
import { bars } from "./plot.ts";

/** The output of `lectern eval --json` for one set. */
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

/** The minimum nDCG@10 per set. */
const minScores = new Map([
  ["scifact", 0.7],
  ["docs-qa", 0.7],
  ["jaquad-ja", 0.91],
  ["cmrc2018-zh-hans", 0.98],
  ["drcd-zh-hant", 0.96],
  ["xquad de", 0.93],
  ["xquad ru", 0.89],
  ["xquad th", 0.87],
]);

/** The quality of `search` on sets with judged answers. */
export async function measureRetrieval(tempFolder: string, quick: boolean): Promise<Section> {
  const queue = [...(quick ? quickFolders : folders)];
  const found: Evaluation[] = [];
  const problems: string[] = [];
  // Two run concurrently: quality does not depend on the load of the machine.
  const worker = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) {
      const folder = dataFolder(name);
      if (!folder) {
        problems.push(`${name} was skipped: its data is not available.`);
        continue;
      }
      await evaluate(folder, join(tempFolder, `eval-${name}`)).then(
        (rows) => found.push(...rows),
        (error) => problems.push(`${name} could not be measured: ${reasonOf(error)}`),
      );
    }
  };
  await Promise.all([worker(), worker()]);
  const rows = found
    .sort((a, b) => orderOf(a) - orderOf(b) || (a.set < b.set ? -1 : 1))
    .map(({ set, documents, queries, ndcg10, recall100, hit1 }) => [
      set,
      documents,
      queries,
      ndcg10.toFixed(3),
      minScores.get(set)?.toFixed(2) ?? "",
      recall100.toFixed(3),
      hit1.toFixed(3),
    ]);
  const head = ["set", "documents", "questions", "nDCG@10", "target", "recall@100", "hit@1"];
  const skipped = quick ? ["`--quick` measures two of the sets."] : [];
  const drawn = found.map(({ set, ndcg10 }) => ({
    label: set,
    value: ndcg10,
    shown: ndcg10.toFixed(3),
  }));
  return {
    title: "Retrieval quality",
    text: [
      "`lectern eval` on judged sets: keyword search with default settings, without a model.",
      rows.length > 0 ? table(head, rows) : "",
      ...problems,
      ...skipped,
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    targets: [...minScores].map(([set, minScore]): Target => {
      const row = found.find((evaluation) => evaluation.set === set);
      return {
        name: `nDCG@10 on ${set}`,
        required: `at least ${minScore.toFixed(2)}`,
        measured: row && { figure: row.ndcg10.toFixed(3), isMet: row.ndcg10 >= minScore },
      };
    }),
    plots: drawn.length > 0 ? [bars("retrieval", "nDCG@10 of keyword search", drawn)] : [],
  };
}

const orderOf = ({ set }: Evaluation): number =>
  folders.findIndex((folder) => set.startsWith(folder));

async function evaluate(folder: string, home: string): Promise<Evaluation[]> {
  const args = [program, "eval", folder, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment(home) });
  return JSON.parse(stdout);
}

const reasonOf = (error: { stderr?: string; message: string }): string =>
  (error.stderr || error.message).trim().split("\n").at(-1) ?? "";
