import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lectern } from "./contestant.ts";
import { median } from "./home.ts";
import { megabytes, ms, type Section, type Target, table, times } from "./page.ts";
import { openSession } from "./stdio.ts";
import { peakOfAll } from "./usage.ts";

/** Targets for the largest repository, in milliseconds and bytes. */
const limits = { quick: 500, standard: 3_000, memory: 200e6, growth: 1.3 };

interface Measured {
  files: number;
  quick: number;
  standard: number;
  peak: number | undefined;
}

/** The cost of analyzing a repository, at each depth that does not parse code. */
export async function measureRepository(tempFolder: string, quick: boolean): Promise<Section> {
  const rounds = quick ? 2 : 5;
  const sizes = quick ? [1_000, 4_000] : [3_750, 7_500, 15_000];
  const measured: Measured[] = [];
  for (const files of sizes) measured.push(await measureSize(tempFolder, files, rounds));
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
    "relative to the first row",
    "server memory",
  ];
  return {
    title: "Repository analysis",
    text: `Generated repositories with four pages per module, about 5 kB per file; \`analyze_repository\` over MCP,
medians of ${rounds} calls. \`quick\` reads names and manifests, \`standard\` reads every file.

${table(head, rows)}`,
    targets: quick ? [] : targetsFor(largest, perFile(largest) / perFile(smallest)),
  };
}

function targetsFor({ files, quick, standard, peak }: Measured, growth: number): Target[] {
  const name = `analysis of ${files} files`;
  return [
    {
      name: `${name}, \`standard\``,
      required: `at most ${limits.standard / 1_000} s`,
      measured: { figure: ms(standard), isMet: standard <= limits.standard },
    },
    {
      name: `${name}, \`quick\``,
      required: `at most ${limits.quick / 1_000} s`,
      measured: { figure: ms(quick), isMet: quick <= limits.quick },
    },
    {
      name: `${name}, server memory`,
      required: `at most ${megabytes(limits.memory)}`,
      measured:
        peak === undefined ? undefined : { figure: megabytes(peak), isMet: peak <= limits.memory },
    },
    {
      name: `${name}, time per file relative to a quarter of the files`,
      required: `at most ${times(limits.growth)}`,
      measured: { figure: times(growth), isMet: growth <= limits.growth },
    },
  ];
}

async function measureSize(tempFolder: string, files: number, rounds: number): Promise<Measured> {
  const folder = join(tempFolder, "repository");
  const home = join(tempFolder, "repository-home");
  mkdirSync(home);
  writeRepository(folder, files);
  const server = ["mcp", "--shelves", "repository", "--root", folder];
  const session = await openSession({ ...lectern(home), server });
  const timesOf = async (depth: string): Promise<number> => {
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      await session.call("analyze_repository", { path: folder, depth });
      took.push(performance.now() - started);
    }
    return median(took);
  };
  const quick = await timesOf("quick");
  const standard = await timesOf("standard");
  const peak = peakOfAll(session.pid);
  await session.close();
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
  return { files, quick, standard, peak };
}

/** Only the size of the pages matters, so their text repeats. */
function writeRepository(folder: string, files: number): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(".gitignore", "node_modules/\n*.log\n/dist\n");
  write("package.json", JSON.stringify({ name: "bench", version: "1.0.0", main: "src/index.ts" }));
  for (let number = 2; number < files; number++) {
    const subfolder = `part-${number % 40}/${number % 7}`;
    if (number % 5 === 0) write(`src/${subfolder}/module-${number}.ts`, moduleOf(number));
    else write(`docs/${subfolder}/page-${number}.md`, pageOf(number));
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
