import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../kernel/failure.ts";
import type { Settings } from "../../kernel/home/settings.ts";
import type { App } from "../../kernel/runtime/app.ts";
import { documentIdOf, type JudgedSet, writeSetDocuments } from "./judged-set.ts";
import { type Measures, meanMeasures, measureRanking } from "./ranking-metrics.ts";

export interface Evaluation extends Measures {
  set: string;
  by: string;
  documents: number;
  queries: number;
}

export type OpenApp = (settings: Settings) => App;

/** Indexes a set in a temporary home and runs all its queries. Undefined if none has a judgement. */
export async function evaluateSet(
  set: JudgedSet,
  by: string,
  settings: Settings,
  open: OpenApp,
): Promise<Evaluation | undefined> {
  const temporaryFolder = mkdtempSync(join(tmpdir(), "lectern-eval-"));
  const home = join(temporaryFolder, "home");
  const documents = join(temporaryFolder, "documents");
  const app = open({
    ...settings,
    configFolder: home,
    dataFolder: home,
    database: undefined,
    root: temporaryFolder,
  });
  try {
    writeSetDocuments(set, documents);
    await callOperation(app, "add_collection", { name: "set", path: documents });
    if (by !== "search") await callOperation(app, "embed", {});
    const measured: Measures[] = [];
    for (const { id, text } of set.queries) {
      const relevant = set.judgements.get(id);
      if (!relevant) continue;
      // Search operations reject an empty query, so it counts as one without results.
      const input = { query: text, limit: 100, minScore: 0 };
      const results = text.trim() === "" ? [] : resultFiles(await callOperation(app, by, input));
      measured.push(measureRanking(results.map(documentIdOf), relevant));
    }
    if (measured.length === 0) return undefined;
    const counts = { documents: set.documents.length, queries: measured.length };
    return { set: set.name, by, ...counts, ...meanMeasures(measured) };
  } finally {
    await app.close();
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

async function callOperation(app: App, name: string, input: Record<string, unknown>) {
  const entry = app.catalogue.find(name);
  if (!entry) throw new Failure("internal", "internal", `There is no operation '${name}'.`);
  const outcome = await app.call(entry, input, { actor: { surface: "cli" } });
  if (outcome.ok) return outcome.value;
  throw (
    outcome.failure ??
    new Failure("internal", "internal", `'${name}' asks a question, which is not supported here.`)
  );
}

const resultFiles = (output: Record<string, unknown>): string[] =>
  // The output of every search operation has `results` with a `file`.
  (output.results as { file: string }[]).map(({ file }) => file);
