import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { showFigures } from "../figures.ts";
import { freshHome, runProgram, startServer } from "../program.ts";

/** The path of libfaketime, if it is installed. */
function fakeClock(): string | undefined {
  const roots = ["/usr/lib", "/usr/local/lib"].filter((folder) => existsSync(folder));
  const folders = roots.flatMap((root) => [
    join(root, "faketime"),
    ...readdirSync(root).map((name) => join(root, name, "faketime")),
  ]);
  return folders.map((folder) => join(folder, "libfaketimeMT.so.1")).find(existsSync);
}

function createHome() {
  const home = freshHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, "notes");
  mkdirSync(folder);
  const write = (text: string, time?: Date) => {
    writeFileSync(join(folder, "a.md"), `# A\n\n${text}\n`);
    if (time) utimesSync(join(folder, "a.md"), time, time);
  };
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const ended = await runProgram(args, { home, env });
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  return { home, folder, write, run };
}

test("[core.clock.files] files dated 2099 and 1970 are indexed with their current content", async () => {
  const { folder, write, run } = createHome();
  write("albatross", new Date(Date.UTC(2099, 0, 1)));
  await run(["collection", "add", folder, "--name", "notes"]);
  write("bittern", new Date(1_000));
  await run(["update"]);
  expect(await run(["search", "bittern"])).toContain("notes/a.md");
  write("cormoran", new Date(1_000));
  await run(["update"]);
  expect(await run(["search", "cormoran"])).toContain("notes/a.md");
  expect(await run(["search", "bittern"])).not.toContain("notes/a.md");
});

const program = fakeClock();
if (!program)
  showFigures("libfaketime is not installed, so the program was not run with another clock.");

/** NO_FAKE_STAT keeps the real timestamps of files. Timers are not affected. */
const clockAt = (offset: string) => ({
  LD_PRELOAD: program ?? "",
  FAKETIME: offset,
  NO_FAKE_STAT: "1",
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  DONT_FAKE_MONOTONIC: "1",
});

test.runIf(program !== undefined)(
  "[core.clock.commands] after the clock jumps an hour back or forward, update indexes new changes",
  async () => {
    const { folder, write, run } = createHome();
    write("albatross");
    await run(["collection", "add", folder, "--name", "notes"], clockAt("+1h"));
    for (const [offset, term] of [
      ["-1h", "bittern"],
      ["+2d", "cormorant"],
      ["-400d", "dunlin"],
    ] as const) {
      write(term);
      await run(["update"], clockAt(offset));
      expect(await run(["search", term], clockAt(offset))).toContain("notes/a.md");
      expect(await run(["doctor"], clockAt(offset))).not.toMatch(/^fail/m);
    }
  },
);

test.runIf(program !== undefined)(
  "[core.clock.server] a running server finds later changes after its clock jumps",
  async () => {
    const { home, folder, write, run } = createHome();
    write("albatross");
    await run(["collection", "add", folder, "--name", "notes"]);
    const timeFile = join(home, "time");
    writeFileSync(timeFile, "+0");
    const { FAKETIME: _, ...env } = clockAt("");
    const server = await startServer(home, [], {
      ...env,
      FAKETIME_TIMESTAMP_FILE: timeFile,
      FAKETIME_NO_CACHE: "1",
    });
    onTestFinished(async () => {
      await server.stop();
    });
    const filesFound = async (query: string) => {
      const answer = await fetch(`${server.url}/search`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      return JSON.stringify(await answer.json()).includes("notes/a.md");
    };
    for (const [offset, term] of [
      ["-1h", "bittern"],
      ["+3h", "cormorant"],
      ["-2d", "dunlin"],
    ] as const) {
      writeFileSync(timeFile, offset);
      write(term);
      await expect.poll(() => filesFound(term), { interval: 50 }).toBe(true);
    }
    const health = await fetch(`${server.url}/health`);
    expect(await health.json()).toMatchObject({ status: "healthy" });
  },
);
