import { resolve } from "node:path";
import * as z from "zod";
import { invalid } from "../../kernel/failure.ts";
import { programCommand } from "../../surfaces/cli/command.ts";
import type { OpenApp } from "./evaluate-set.ts";

/** `open` opens a temporary home for each set. */
export const evalCommand = (open: OpenApp) =>
  programCommand({
    cli: "eval <folder>",
    summary: "Measure search quality with a set of judged queries",
    group: "maintenance",
    input: z.object({
      folder: z.string().min(1).describe("Folder with corpus.jsonl, queries.jsonl and qrels.tsv"),
      by: z.enum(["search", "vsearch", "query"]).default("search").describe("The search method"),
      language: z.string().optional().describe("Only the set in this language"),
    }),
    async run({ folder, by, language }, context) {
      const { readJudgedSets } = await import("./judged-set.ts");
      const { evaluateSet } = await import("./evaluate-set.ts");
      const rows = [];
      for (const set of readJudgedSets(resolve(context.settings.root, folder), language)) {
        const row = await evaluateSet(set, by, context.settings, open);
        if (!row) {
          throw invalid(`No query of ${set.name} has a judgement.`, [
            "qrels.tsv must refer to queries by their id in queries.jsonl.",
          ]);
        }
        rows.push(row);
        if (context.globals.json) continue;
        const { ndcg10, recall100, hit1 } = row;
        const figures = `nDCG@10 ${formatMeasure(ndcg10)}  recall@100 ${formatMeasure(recall100)}  hit@1 ${formatMeasure(hit1)}`;
        await context.out.write(`${row.set}  ${figures}  (${row.queries} queries)\n`);
      }
      if (context.globals.json) await context.out.write(`${JSON.stringify(rows)}\n`);
      return 0;
    },
  });

const formatMeasure = (measure: number): string => measure.toFixed(3);
