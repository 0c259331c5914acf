/** Writes `docs/reference/` from the definitions; `--check` only verifies that it is up to date. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CatalogueEntry } from "../src/kernel/operations/catalogue.ts";
import { referencePages } from "../src/surfaces/reference/reference-pages.ts";
import { exampleIn, openSample } from "../tests/fixtures/library/sample-library.ts";

const folder = join(process.cwd(), "docs", "reference");
const check = process.argv.includes("--check");
/** Operations that write nothing, but change the open project or list the calls before them. */
const dependOnOthers = ["open_project", "close_project", "metrics", "list_reads"];

/** Serves the examples that only read. */
const sharedSample = await openSample();
const { catalogue } = sharedSample;
const outputs = new Map<CatalogueEntry, unknown>();
for (const entry of catalogue.entries) {
  const { name, expose } = entry.operation;
  // An operation that is not exposed has no page.
  if (Object.keys(expose).length > 0) outputs.set(entry, await exampleOutput(name));
}

const pages = referencePages(catalogue, (entry) => outputs.get(entry));
mkdirSync(folder, { recursive: true });
const stale = pages.filter(({ file, text }) => readIfThere(join(folder, file)) !== text);
const obsolete = readdirSync(folder).filter((file) => !pages.some((page) => page.file === file));
if (check && stale.length + obsolete.length > 0) {
  const names = [...stale.map(({ file }) => file), ...obsolete].join(", ");
  process.stderr.write(`docs/reference is out of date (${names}): run \`npm run reference\`.\n`);
  process.exit(1);
}
for (const { file, text } of check ? [] : stale) writeFileSync(join(folder, file), text);
process.stdout.write(
  `docs/reference: ${pages.length} pages, ${check ? "up to date" : "written"}\n`,
);
process.exit(0);

/** An example that changes something runs on a fresh sample, so that it does not affect others. */
async function exampleOutput(name: string): Promise<unknown> {
  const isShared =
    catalogue.find(name)?.operation.effect === "reads" && !dependOnOthers.includes(name);
  const app = isShared ? sharedSample : await openSample();
  const entry = app.catalogue.find(name);
  if (!entry) return undefined;
  const { root } = app.runtime.settings;
  const outcome = await app.call(entry, exampleIn(root, entry.operation.example), {
    actor: { surface: "reference" },
  });
  if (!isShared) await app.close();
  if (!outcome.ok) {
    // Decisions need a pending proposal, and vectors need a model. Without them the page shows only
    // the call.
    const { failure } = outcome;
    if (entry.operation.effect === "decides" || failure?.kind === "unavailable") return undefined;
    throw new Error(`The example of ${name} failed: ${outcome.failure?.message}`);
  }
  return normalized(outcome.value, root);
}

/** Replaces paths, times, sizes and vectors, since they differ between machines and runs. */
function normalized(value: unknown, root: string): unknown {
  const text = JSON.stringify(value)
    .replaceAll(JSON.stringify(root).slice(1, -1), "/library")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00.000Z")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "2026-01-01 00:00:00")
    // The sample's files are copied now, so their dates are today's.
    .replaceAll(new Date().toISOString().slice(0, 10), "2026-01-01")
    // The ids of the sample's analyses are random.
    .replaceAll(/(analysis_\w+_)[0-9a-f]{20}/g, "$1…");
  return JSON.parse(text, (key, part) => {
    if (["bytes", "p50", "p95", "executionTime", "ageInDays"].includes(key)) return 0;
    // A token encodes the path of its project.
    if (key === "call" || key === "preview_token") return "…";
    const isVector = Array.isArray(part) && part.length > 20 && typeof part[0] === "number";
    return isVector ? [`… ${part.length} numbers`] : part;
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
