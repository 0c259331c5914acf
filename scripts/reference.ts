/** Writes `docs/reference/` from the definitions; with `--check`, only says whether it is up to date. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../src/kernel/catalogue.ts";
import { referencePages } from "../src/surfaces/reference/pages.ts";
import { exampleIn, openSample } from "../tests/fixtures/sample-library.ts";

const folder = join(process.cwd(), "docs", "reference");
const check = process.argv.includes("--check");
const { catalogue } = await openSample();
const answers = new Map<Entry, unknown>();
for (const entry of catalogue.entries) {
  const { name, expose } = entry.operation;
  // What nobody can call has no page.
  if (Object.keys(expose).length > 0) answers.set(entry, await answerOf(name));
}

const pages = referencePages(catalogue, (entry) => answers.get(entry));
mkdirSync(folder, { recursive: true });
const stale = pages.filter(({ file, text }) => readIfThere(join(folder, file)) !== text);
const strangers = readdirSync(folder).filter((file) => !pages.some((page) => page.file === file));
if (check && stale.length + strangers.length > 0) {
  const names = [...stale.map(({ file }) => file), ...strangers].join(", ");
  process.stderr.write(`docs/reference is out of date (${names}): run \`npm run reference\`.\n`);
  process.exit(1);
}
for (const { file, text } of check ? [] : stale) writeFileSync(join(folder, file), text);
process.stdout.write(
  `docs/reference: ${pages.length} pages, ${check ? "up to date" : "written"}\n`,
);
process.exit(0);

/** Each example runs on a fresh sample, so that one that writes does not change another's answer. */
async function answerOf(name: string): Promise<unknown> {
  const library = await openSample();
  const entry = library.catalogue.find(name);
  if (!entry) return undefined;
  const { root } = library.house.settings;
  const outcome = await library.call(entry, exampleIn(root, entry.operation.example), {
    actor: { surface: "reference" },
  });
  await library.close();
  if (!outcome.ok) {
    // What decides needs something to decide, and without a model there are no vectors; then the
    // page shows the call alone.
    const { failure } = outcome;
    if (entry.operation.effect === "decides" || failure?.kind === "unavailable") return undefined;
    throw new Error(`The example of ${name} failed: ${outcome.failure?.message}`);
  }
  return withoutAccidents(outcome.value, root);
}

/** Paths, times, sizes and vectors of the machine that wrote the page say nothing to its reader. */
function withoutAccidents(value: unknown, root: string): unknown {
  const text = JSON.stringify(value)
    .replaceAll(JSON.stringify(root).slice(1, -1), "/library")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00.000Z")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "2026-01-01 00:00:00")
    // The sample holds a project that is made anew each time.
    .replaceAll(/(analysis_\w+_)[0-9a-f]{20}/g, "$1…");
  return JSON.parse(text, (key, part) => {
    if (["bytes", "p50", "p95", "executionTime", "ageInDays"].includes(key)) return 0;
    // A token marks the place of its project, too.
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
