import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../kernel/failure.ts";
import type { Library } from "../kernel/library.ts";
import type { Settings } from "../kernel/settings.ts";
import { idOfFile, type JudgedSet, writeDocuments } from "./judged-set.ts";
import { type Measures, mean, measure } from "./measures.ts";

export interface Evaluation extends Measures {
  set: string;
  by: string;
  documents: number;
  queries: number;
}

export type OpenLibrary = (settings: Settings) => Library;

/** Indexes a set in a home of its own and asks it every question, as any caller would. */
export async function evaluateSet(
  set: JudgedSet,
  by: string,
  settings: Settings,
  open: OpenLibrary,
): Promise<Evaluation | undefined> {
  const place = mkdtempSync(join(tmpdir(), "lectern-eval-"));
  const home = join(place, "home");
  const documents = join(place, "documents");
  const library = open({ ...settings, configFolder: home, dataFolder: home, root: place });
  try {
    writeDocuments(set, documents);
    await ask(library, "add_collection", { name: "set", path: documents });
    if (by !== "search") await ask(library, "embed", {});
    const measured: Measures[] = [];
    for (const { id, text } of set.queries) {
      const relevant = set.judgements.get(id);
      if (!relevant) continue;
      // A question without words is a flaw of the set, and finds nothing.
      const input = { query: text, limit: 100, minScore: 0 };
      const found = text.trim() === "" ? [] : filesOf(await ask(library, by, input));
      measured.push(measure(found.map(idOfFile), relevant));
    }
    if (measured.length === 0) return undefined;
    const sizes = { documents: set.documents.length, queries: measured.length };
    return { set: set.name, by, ...sizes, ...mean(measured) };
  } finally {
    await library.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function ask(library: Library, name: string, input: Record<string, unknown>) {
  const entry = library.catalogue.find(name);
  if (!entry) throw new Failure("internal", "internal", `There is no operation '${name}'.`);
  const outcome = await library.call(entry, input, { actor: { surface: "cli" } });
  if (outcome.ok) return outcome.value;
  throw outcome.failure ?? new Failure("internal", "internal", `'${name}' asks for something.`);
}

const filesOf = (answer: Record<string, unknown>): string[] =>
  // Every way of searching answers with results that have a file.
  (answer.results as { file: string }[]).map(({ file }) => file);
