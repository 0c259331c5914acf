import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lectern } from "./contestant.ts";
import { at, median } from "./home.ts";
import { type Demand, ms, type Section, table } from "./page.ts";
import { openSession, type Session } from "./stdio.ts";
import { processorTime } from "./usage.ts";

const objectsInFile = 5;
/** What was asked for, in milliseconds. */
const aims = { cold: 1_500, warm: 10 };

/** What a workspace of typed objects costs: to read it, to ask it, and to follow a change. */
export async function measureObjects(place: string, quick: boolean): Promise<Section> {
  const files = quick ? 200 : 2_000;
  const folder = join(place, "objects");
  const home = join(place, "objects-home");
  mkdirSync(home);
  writeWorkspace(folder, files);
  const server = ["mcp", "--shelves", "objects", "--root", folder];
  const session = await openSession({ ...lectern(home), server });
  const began = processorTime(session.pid);
  await session.call("qmdc_locate_object", { path: folder, ref: "item_1_1" });
  const cold = processorTime(session.pid) - began;
  const rows: { what: string; warm: number[]; changed: number[] }[] = [];
  for (const [what, input] of Object.entries(questions)) {
    const ask = () => timed(session, what, { path: folder, ...input });
    await ask();
    const warm: number[] = [];
    const changed: number[] = [];
    for (let round = 0; round < (quick ? 5 : 21); round++) warm.push(await ask());
    for (let round = 0; round < (quick ? 3 : 9); round++) {
      appendFileSync(join(folder, `part-${round}.qmd.md`), `\nNote ${round} of ${what}.\n`);
      changed.push(await ask());
    }
    rows.push({ what, warm, changed });
  }
  await session.close();
  const shown = rows.map(({ what, warm, changed }) => [
    `\`${what}\``,
    ms(median(warm)),
    ms(at(warm, 0.95)),
    ms(median(changed)),
  ]);
  const slowest = Math.max(...rows.map(({ warm }) => median(warm)));
  return {
    title: "Typed objects",
    text: `A made-up workspace of ${files} files and ${files * objectsInFile} objects, each with a reference, over MCP. To read it
the first time took ${ms(cold)} of the processor.

${table(["tool", "p50", "p95", "p50 just after a file has changed"], shown)}`,
    demands: demands(cold, slowest),
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

async function timed(session: Session, name: string, input: object): Promise<number> {
  const began = performance.now();
  await session.call(name, input);
  return performance.now() - began;
}

const demands = (cold: number, slowest: number): Demand[] => [
  {
    what: "10,000 objects in 2,000 files read, the processor's time",
    needed: `within ${aims.cold} ms`,
    measured: { figure: ms(cold), isReached: cold <= aims.cold },
  },
  {
    what: "the slowest tool of typed objects, p50",
    needed: `within ${aims.warm} ms`,
    measured: { figure: ms(slowest), isReached: slowest <= aims.warm },
  },
];
