/**
 * Measures the built program on this machine and writes `docs/figures.md`.
 * `--quick` takes fewer samples; `--dry` writes nothing.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { measureCalls } from "./bench/calls.ts";
import { prepareHome } from "./bench/home.ts";
import { measureStarts } from "./bench/starts.ts";

const quick = process.argv.includes("--quick");
const dry = process.argv.includes("--dry");
const home = mkdtempSync(join(tmpdir(), "lectern-bench-"));
const corpus = await prepareHome(home);
const starts = await measureStarts(home, quick ? 5 : 25);
const calls = await measureCalls(home, quick ? 500 : 3_000);

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const page = `# Figures

Written by \`npm run bench\`; never by hand. Machines are noisy, so the columns to trust are the
ratios, whose both sides were measured in turn in one run.

Lectern ${version}, ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node} on
${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB.
Corpus: ${corpus}.

## Starting

From the start of the process to its answer, medians of ${starts.samples} starts in turn. The aim is a
first answer over stdio within 300 ms and a search at the command line within 150 ms.

| what | median | slowest | times \`node -e 0\` |
|---|---|---|---|
${starts.rows.join("\n")}

## Calls

One client, one call after the other, then eight at once; the same \`search\` on every surface.

| surface | calls a second | median | 99 of 100 within | eight at once, calls a second |
|---|---|---|---|---|
${calls.join("\n")}
`;
process.stdout.write(page);
if (!dry) writeFileSync(join("docs", "figures.md"), page);
process.exit(0);
