import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";

/** The command line as a separate process, for pipes and signals. */
const program = childSource(`
  import { runCommandLine } from "./src/surfaces/cli/run-command-line.ts";
  import { cliShelves, openCliLibrary } from "./tests/fixtures/library/cli-library.ts";
  const { argv, env, stdout, stderr } = process;
  process.exit(await runCommandLine({
    argv: argv.slice(2), env, cwd: process.cwd(), stdout, stderr,
    program: "lectern", version: "0.1.0",
    shelves: cliShelves, commands: [], openApp: openCliLibrary,
  }));
`);

const start = (...argv: string[]): ChildProcess =>
  spawn(process.execPath, [program, ...argv], { stdio: ["ignore", "pipe", "pipe"] });

async function interrupted(...argv: string[]) {
  const child = start(...argv);
  let printed = "";
  child.stderr?.on("data", (part) => {
    printed += part;
  });
  // The operation logs a line when it has begun.
  if (child.stderr) await once(child.stderr, "data");
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  return { code, last: printed.trim().split("\n").at(-1) };
}

const stopped = { code: 130, last: "Stopped by Ctrl+C." };

test("[core.cli.pipe] a reader that closes the pipe early ends the program with 0", () => {
  const line = `"$0" "$1" echo word --times 2000000 | head -c 4; echo " $PIPESTATUS"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", line, process.execPath, program], {
    encoding: "utf8",
  });
  expect(stdout).toBe("word 0\n");
  expect(stderr).toBe("");
});

test("all output is complete when the process has ended", () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    [program, "echo", "word", "--times", "2000000"],
    {
      maxBuffer: 2 ** 26,
    },
  );
  expect(status).toBe(0);
  expect(stdout).toHaveLength(8_000_001);
});

test("[core.cli.interrupt] Ctrl+C cancels the call, says so and exits with 130", async () => {
  expect(await interrupted("wait")).toEqual(stopped);
});

test("[core.cli.interrupt] work that ignores the signal is abandoned after a moment", async () => {
  expect(await interrupted("wait", "--stubborn")).toEqual(stopped);
});

test("[core.cli.lean] a search loads neither the MCP package nor the HTTP server", () => {
  const listing = childSource(`
    import { runCli } from "./tests/fixtures/library/cli-library.ts";
    await runCli(["find", "whale"]);
    const { readFileSync } = await import("node:fs");
    console.log(readFileSync(new URL(import.meta.url), "utf8"));
  `);
  const { stdout } = spawnSync(process.execPath, [listing], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const packages = [...stdout.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
  expect(packages).toContain("zod");
  expect(packages.filter((name) => /hono|modelcontext|watcher|yaml/.test(name ?? ""))).toEqual([]);
});
