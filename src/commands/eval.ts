import { resolve } from "node:path";
import * as z from "zod";
import { invalid } from "../kernel/failure.ts";
import { programCommand } from "../surfaces/cli/command.ts";
import type { OpenLibrary } from "./evaluation.ts";

/** Each set gets a library of its own, opened by `open`. */
export const evaluate = (open: OpenLibrary) =>
  programCommand({
    cli: "eval <folder>",
    summary: "Measure how well a way of searching answers the questions of a judged set",
    group: "care",
    input: z.object({
      folder: z.string().min(1).describe("Folder with corpus.jsonl, queries.jsonl and qrels.tsv"),
      by: z.enum(["search", "vsearch", "query"]).default("search").describe("The way of searching"),
      language: z.string().optional().describe("Only this one of several languages"),
    }),
    async run({ folder, by, language }, context) {
      const { setsIn } = await import("./judged-set.ts");
      const { evaluateSet } = await import("./evaluation.ts");
      const rows = [];
      for (const set of setsIn(resolve(context.settings.root, folder), language)) {
        const row = await evaluateSet(set, by, context.settings, open);
        if (!row) {
          throw invalid(`No question of ${set.name} is judged.`, [
            "qrels.tsv names questions by their id in queries.jsonl.",
          ]);
        }
        rows.push(row);
        if (context.globals.json) continue;
        const { ndcg10, recall100, hit1 } = row;
        const figures = `nDCG@10 ${shown(ndcg10)}  recall@100 ${shown(recall100)}  hit@1 ${shown(hit1)}`;
        await context.out.write(`${row.set}  ${figures}  (${row.queries} questions)\n`);
      }
      if (context.globals.json) await context.out.write(`${JSON.stringify(rows)}\n`);
      return 0;
    },
  });

const shown = (figure: number): string => figure.toFixed(3);
