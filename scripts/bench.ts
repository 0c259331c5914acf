/**
 * Measures the built program on this machine and writes `docs/figures.md` with its pictures.
 * `--quick` takes fewer samples; `--dry` writes nothing; `--only peer` measures one part, and writes
 * nothing either unless `--renew` puts it in the place of what the page says of it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureCalls } from "./bench/calls.ts";
import { comparePeer } from "./bench/comparison.ts";
import { compareEngines } from "./bench/engines.ts";
import { measureGrowth } from "./bench/growth.ts";
import { copyProgram, openPlace, prepareHome } from "./bench/home.ts";
import { measureMeaning } from "./bench/meaning.ts";
import { measureObjects } from "./bench/objects.ts";
import { demandTable, renewed, type Section, sectionText } from "./bench/page.ts";
import { measureRepository } from "./bench/repository.ts";
import { measureRetrieval } from "./bench/retrieval.ts";
import { measureStarts } from "./bench/starts.ts";
import { measureTokens } from "./bench/tokens.ts";
import { measureVectors } from "./bench/vectors.ts";
import { measureWeb } from "./bench/web.ts";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean" },
    dry: { type: "boolean" },
    only: { type: "string" },
    renew: { type: "boolean" },
  },
});
const quick = flags.quick ?? false;
const pictures = join("docs", "figures");

copyProgram();
const place = openPlace();
const home = join(place, "home");
mkdirSync(home);
const corpus = await prepareHome(home);
const rounds = quick
  ? { index: 1, update: 3, search: 5, calls: 2 }
  : { index: 3, update: 9, search: 21, calls: 5 };
const parts: Record<string, () => Promise<Section>> = {
  peer: () => comparePeer(place, rounds),
  starts: () => measureStarts(home, quick ? 5 : 25),
  calls: () => measureCalls(home, quick ? 500 : 3_000),
  engines: () => compareEngines(place, quick),
  growth: () => measureGrowth(place, quick),
  repository: () => measureRepository(place, quick),
  retrieval: () => measureRetrieval(place, quick),
  vectors: () => measureVectors(place, quick),
  meaning: () => measureMeaning(place, quick),
  objects: () => measureObjects(place, quick),
  tokens: () => measureTokens(place, quick),
  web: () => measureWeb(place, quick),
};
if (flags.only !== undefined && !(flags.only in parts)) {
  throw new Error(`--only takes one of ${Object.keys(parts).join(", ")}.`);
}
const sections: Section[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (flags.only !== undefined && flags.only !== name) continue;
  process.stderr.write(`measuring: ${name}\n`);
  sections.push(await measure());
}

if (flags.only !== undefined && flags.renew) {
  const file = join("docs", "figures.md");
  const page = sections.reduce(renewed, readFileSync(file, "utf8"));
  writeFileSync(file, page);
  savePictures();
}

const asked = sections.flatMap(({ demands }) => demands);
if (asked.length > 0) {
  sections.unshift({ title: "What was asked for", text: demandTable(asked), demands: [] });
}
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const page = `# Figures

Written by \`npm run bench\`; never by hand. Machines are noisy, so the columns to trust are the
ratios, whose both sides were measured in turn in one run.

Lectern ${version}, ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node} on
${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB.
Corpus: ${corpus}.

${sections.map(sectionText).join("\n\n")}
`;
process.stdout.write(page);
if (!flags.dry && flags.only === undefined) {
  writeFileSync(join("docs", "figures.md"), page);
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures);
  savePictures();
}
process.exit(0);

function savePictures(): void {
  for (const { name, svg } of sections.flatMap(({ plots = [] }) => plots)) {
    writeFileSync(join(pictures, `${name}.svg`), svg);
  }
}
