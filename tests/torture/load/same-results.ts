import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { sample } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { filesBelow } from "../files-below.ts";
import { openInProcessApp } from "../in-process-app.ts";

const queries = [
  "harbour",
  "lamp keeper",
  "meeting notes",
  "how is the lamp lit?",
  "fog",
  "the",
  "decision",
  "boat*",
  '"north wind"',
];

/** Pages with equal text, so that only the tie-breaking rule orders them. */
const duplicatesFolder = "duplicates/";
const duplicateText = "# The harbour\n\nFog lies over the harbour, and the lamp is lit.\n";
const duplicateFiles = Array.from(
  { length: 30 },
  (_, number) => `${duplicatesFolder}page-${number}.md`,
);

/** The same files, created and indexed in another order, have the same ids and ranking. */
export const sameResults: Campaign = {
  name: "same-results",
  unit: "orders",
  counts: { ci: 3, default: 9, long: 300 },
  roundOf: 3,
  round: compareOrders,
};

async function compareOrders({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const files = [...filesBelow(sample), ...duplicateFiles];
  const results: Record<string, unknown>[] = [];
  for (let order = 0; order < Math.max(count, 2); order++) {
    const shuffled = files
      .map((file) => ({ file, folder: random() }))
      .sort((a, b) => a.folder - b.folder)
      .map(({ file }) => file);
    results.push(await answersFor(shuffled, random() < 0.5));
  }
  const [first = {}, ...others] = results;
  const losses = others.flatMap((other, index) =>
    Object.keys(first)
      .filter((question) => JSON.stringify(first[question]) !== JSON.stringify(other[question]))
      .map((question) => `order ${index + 2} differs from the first in ${question}`),
  );
  return {
    done: { orders: results.length, answers: results.length * Object.keys(first).length },
    losses,
  };
}

/** All answers about a library whose files were added one by one in this order. */
async function answersFor(
  files: readonly string[],
  isInParts: boolean,
): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), "lectern-same-"));
  // Answers contain paths, so the files are always in the same place.
  const root = join(folder, "library");
  const { call, close } = openInProcessApp(join(folder, "home"), root);
  try {
    mkdirSync(root);
    const half = isInParts ? Math.ceil(files.length / 2) : files.length;
    copyAll(files.slice(0, half), root);
    await call("add_collection", { path: root, name: "all" });
    copyAll(files.slice(half), root);
    await call("update_collections");
    await call("embed");
    const results: Record<string, unknown> = {
      list_documents: await call("list_documents"),
      qmdc_dump_index: await call("qmdc_dump_index", { path: root }),
      analyze_repository: await call("analyze_repository", { path: root, depth: "deep" }),
      list_decisions: await call("list_decisions"),
    };
    for (const query of queries) {
      results[`search ${query}`] = await call("search", { query, all: true });
      results[`vsearch ${query}`] = await call("vsearch", { query });
      results[`query ${query}`] = await call("query", { query });
    }
    return JSON.parse(
      JSON.stringify(results)
        .replaceAll(folder, "")
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then")
        .replace(/"executionTime":[\d.]+/g, '"executionTime":0'),
    );
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyAll(files: readonly string[], root: string): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    if (file.startsWith(duplicatesFolder)) writeFileSync(join(root, file), duplicateText);
    else cpSync(join(sample, file), join(root, file), { preserveTimestamps: true });
  }
}
