import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { pages, questionsFrom } from "./corpus.ts";
import { median, quantile } from "./home.ts";
import { fullName, installPackage, type Package } from "./installed.ts";
import { megabytes, ms, type Section, table, times } from "./page.ts";
import { openUsage } from "./usage.ts";

const title = "Keyword search libraries";

/** The measurements of one engine. */
export interface EngineFigures {
  /** Milliseconds to read the files, the lower bound for every engine. */
  read: number;
  index: number;
  times: number[];
  /** The number of queries that found the page of their words. */
  foundCount: number;
  peak: number;
}

const others: Record<string, Package> = {
  minisearch: { name: "minisearch", version: "7.2.0" },
  orama: { name: "@orama/orama", version: "3.1.18" },
};

/** Compares our index with other embeddable ones, in memory, each in a separate process. */
export async function compareEngines(tempFolder: string, quick: boolean): Promise<Section> {
  if (!pages) {
    const text = "Skipped: the documentation pages are not available.";
    return { title, text, targets: [] };
  }
  const asked = questionsFrom(pages, quick ? 24 : 240);
  const questions = join(tempFolder, "questions.json");
  writeFileSync(questions, JSON.stringify(asked));
  const problems: string[] = [];
  const engines: { name: string; shown: string; packages: string; runs: EngineFigures[] }[] = [
    { name: "lectern", shown: "Lectern", packages: "", runs: [] },
  ];
  for (const [name, dependency] of Object.entries(others)) {
    await installPackage(dependency).then(
      (packages) => engines.push({ name, shown: fullName(dependency), packages, runs: [] }),
      ({ message }: Error) => problems.push(message),
    );
  }
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    for (const { name, packages, runs } of engines) {
      runs.push(await run([name, pages, packages, questions, quick ? "1" : "3"]));
    }
  }
  const rows = engines.map(({ shown, runs }) => {
    const waits = runs.flatMap((each) => each.times);
    const index = median(runs.map((each) => each.index));
    const read = median(runs.map((each) => each.read));
    return [
      shown,
      ms(index),
      times(index / read),
      ms(median(waits)),
      ms(quantile(waits, 0.95)),
      `${(((runs[0]?.foundCount ?? 0) / asked.length) * 100).toFixed(1)} %`,
      megabytes(median(runs.map(({ peak }) => peak))),
    ];
  });
  const head = [
    "engine",
    "index",
    "relative to reading the files",
    "search p50",
    "p95",
    "source page found",
  ];
  return {
    title,
    text: `Lectern's index compared with embeddable search libraries, all in memory; ${asked.length} queries of one to
six consecutive words of a page. Source page found: that page is among the first ten results.
Lectern finds sections and their lines, the others whole pages.

${[table([...head, "peak memory"], rows), ...problems].join("\n\n")}`,
    targets: [],
  };
}

async function run(args: string[]): Promise<EngineFigures> {
  const program = [join("scripts", "run.mjs"), join("scripts", "bench", "engine.ts")];
  const usage = openUsage(process.env);
  const { stdout } = await promisify(execFile)(process.execPath, [...program, ...args], {
    env: usage.env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { ...JSON.parse(stdout), peak: usage.read().peak };
}
