import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lectern } from "./contestant.ts";
import { median } from "./home.ts";
import { type Demand, megabytes, ms, type Section, table, times } from "./page.ts";
import { openSession } from "./stdio.ts";
import { peakOfAll } from "./usage.ts";

/** What was asked for of the largest repository: milliseconds and bytes. */
const aims = { quick: 500, standard: 3_000, memory: 200e6, growth: 1.3 };

interface Measured {
  files: number;
  quick: number;
  standard: number;
  peak: number | undefined;
}

/** What it costs to know a repository, to each depth that reads no code. */
export async function measureRepository(place: string, quick: boolean): Promise<Section> {
  const rounds = quick ? 2 : 5;
  const sizes = quick ? [1_000, 4_000] : [3_750, 7_500, 15_000];
  const measured: Measured[] = [];
  for (const files of sizes) measured.push(await measureSize(place, files, rounds));
  const [smallest, largest] = [measured[0], measured.at(-1)];
  if (!smallest || !largest) throw new Error("No repository was measured.");
  const perFile = ({ standard, files }: Measured): number => standard / files;
  const rows = measured.map((size) => [
    size.files,
    ms(size.quick),
    ms(size.standard),
    `${(perFile(size) * 1_000).toFixed(0)} µs`,
    times(perFile(size) / perFile(smallest)),
    size.peak === undefined ? "–" : megabytes(size.peak),
  ]);
  const head = [
    "files",
    "`quick`",
    "`standard`",
    "per file",
    "to the first line",
    "server's memory",
  ];
  return {
    title: "Knowing a repository",
    text: `Made-up repositories of four pages to each module, about 5 kB a file; \`analyze_repository\` over MCP,
medians of ${rounds} calls. \`quick\` looks at names and manifests, \`standard\` reads every file.

${table(head, rows)}`,
    demands: quick ? [] : demandsOn(largest, perFile(largest) / perFile(smallest)),
  };
}

function demandsOn({ files, quick, standard, peak }: Measured, growth: number): Demand[] {
  const name = `analysis of ${files} files`;
  return [
    {
      what: `${name}, \`standard\``,
      needed: `at most ${aims.standard / 1_000} s`,
      measured: { figure: ms(standard), isReached: standard <= aims.standard },
    },
    {
      what: `${name}, \`quick\``,
      needed: `at most ${aims.quick / 1_000} s`,
      measured: { figure: ms(quick), isReached: quick <= aims.quick },
    },
    {
      what: `${name}, server's memory`,
      needed: `at most ${megabytes(aims.memory)}`,
      measured:
        peak === undefined
          ? undefined
          : { figure: megabytes(peak), isReached: peak <= aims.memory },
    },
    {
      what: `${name}, time per file against a quarter of them`,
      needed: `at most ${times(aims.growth)}`,
      measured: { figure: times(growth), isReached: growth <= aims.growth },
    },
  ];
}

async function measureSize(place: string, files: number, rounds: number): Promise<Measured> {
  const folder = join(place, "repository");
  const home = join(place, "repository-home");
  mkdirSync(home);
  writeRepository(folder, files);
  const server = ["mcp", "--shelves", "repository", "--root", folder];
  const session = await openSession({ ...lectern(home), server });
  const timesOf = async (depth: string): Promise<number> => {
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      await session.call("analyze_repository", { path: folder, depth });
      took.push(performance.now() - began);
    }
    return median(took);
  };
  const quick = await timesOf("quick");
  const standard = await timesOf("standard");
  const peak = peakOfAll(session.pid);
  await session.close();
  for (const made of [folder, home]) rmSync(made, { recursive: true, force: true });
  return { files, quick, standard, peak };
}

/** The same words in another order: how long a page is counts, not what it says. */
function writeRepository(folder: string, files: number): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(".gitignore", "node_modules/\n*.log\n/dist\n");
  write("package.json", JSON.stringify({ name: "bench", version: "1.0.0", main: "src/index.ts" }));
  for (let number = 2; number < files; number++) {
    const place = `part-${number % 40}/${number % 7}`;
    if (number % 5 === 0) write(`src/${place}/module-${number}.ts`, moduleOf(number));
    else write(`docs/${place}/page-${number}.md`, pageOf(number));
  }
}

const pageOf = (number: number): string =>
  `---\ntitle: Page ${number}\n---\n\n# Page ${number}\n\n${Array.from({ length: 8 }, (_, section) => `## Section ${section} of lamp ${number}\n\nThe keeper lights lamp ${section} when the page says so, because nobody else does. ${"It hangs in a row with others and is cleaned in spring. ".repeat(6)}\n\n\`\`\`sh\nlight --lamp ${section}\n\`\`\`\n\n- an option ${section}\n- another one\n`).join("\n")}`;

const moduleOf = (number: number): string =>
  Array.from(
    { length: 60 },
    (_, index) =>
      `export function light${number}of${index}(lamp: string): string {\n  return lamp + ${index};\n}\n`,
  ).join("\n");
