import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lectern } from "./contestant.ts";
import { median, quantile } from "./home.ts";
import { ms, type Section, type Target, table } from "./page.ts";
import { openSession, type Session } from "./stdio.ts";
import { cpuTime } from "./usage.ts";

const objectsInFile = 5;
/** Targets in milliseconds. */
const limits = { cold: 1_500, warm: 10 };

/** The cost of a workspace of typed objects: to read it, to query it, and to update it. */
export async function measureObjects(tempFolder: string, quick: boolean): Promise<Section> {
  const files = quick ? 200 : 2_000;
  const folder = join(tempFolder, "objects");
  const home = join(tempFolder, "objects-home");
  mkdirSync(home);
  writeWorkspace(folder, files);
  const server = ["mcp", "--shelves", "objects", "--root", folder];
  const session = await openSession({ ...lectern(home), server });
  const started = cpuTime(session.pid);
  await session.call("qmdc_locate_object", { path: folder, ref: "item_1_1" });
  const cold = cpuTime(session.pid) - started;
  const rows: { name: string; warm: number[]; changed: number[] }[] = [];
  for (const [name, input] of Object.entries(questions)) {
    const ask = () => timeCall(session, name, { path: folder, ...input });
    await ask();
    const warm: number[] = [];
    const changed: number[] = [];
    for (let round = 0; round < (quick ? 5 : 21); round++) warm.push(await ask());
    for (let round = 0; round < (quick ? 3 : 9); round++) {
      appendFileSync(join(folder, `part-${round}.qmd.md`), `\nNote ${round} of ${name}.\n`);
      changed.push(await ask());
    }
    rows.push({ name, warm, changed });
  }
  await session.close();
  const shown = rows.map(({ name, warm, changed }) => [
    `\`${name}\``,
    ms(median(warm)),
    ms(quantile(warm, 0.95)),
    ms(median(changed)),
  ]);
  const slowest = Math.max(...rows.map(({ warm }) => median(warm)));
  return {
    title: "Typed objects",
    text: `A generated workspace of ${files} files and ${files * objectsInFile} objects, each with a reference, over MCP. The first
read took ${ms(cold)} of CPU time.

${table(["tool", "p50", "p95", "p50 after a file change"], shown)}`,
    targets: targets(cold, slowest),
  };
}

const questions: Record<string, object> = {
  qmdc_locate_object: { ref: "item_42_1" },
  qmdc_describe_object: { ref: "item_42_1" },
  qmdc_search_objects: { query: "lantern 42" },
  qmdc_find_references: { id: "item_42_1" },
  qmdc_traverse_graph: { start_id: "item_42_1", depth: 2 },
  qmdc_get_tree: {},
  qmdc_validate_references: {},
};

function writeWorkspace(folder: string, files: number): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "workspace.qmd.md"), "# Bench [[bench: __Workspace]]\n");
  for (let file = 0; file < files; file++) {
    const objects = Array.from({ length: objectsInFile }, (_, number) => {
      const other = (file * 7 + number) % files;
      return `# Lantern ${file} ${number} [[item_${file}_${number}: Item]]

- status: ${number % 2 ? "open" : "done"}
- weight: ${file}.${number}
- next: [[#item_${other}_${number}]]

It hangs in row ${file} and is lit at dusk.
`;
    });
    writeFileSync(join(folder, `part-${file}.qmd.md`), objects.join("\n"));
  }
}

async function timeCall(session: Session, name: string, input: object): Promise<number> {
  const started = performance.now();
  await session.call(name, input);
  return performance.now() - started;
}

const targets = (cold: number, slowest: number): Target[] => [
  {
    name: "reading 10,000 objects in 2,000 files, CPU time",
    required: `at most ${limits.cold} ms`,
    measured: { figure: ms(cold), isMet: cold <= limits.cold },
  },
  {
    name: "slowest typed-object tool, p50",
    required: `at most ${limits.warm} ms`,
    measured: { figure: ms(slowest), isMet: slowest <= limits.warm },
  },
];
