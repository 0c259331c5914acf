import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";

/** Writes so many thousand lines in one piece, and tells on stderr how that ended. */
const program = childSource(`
  import { outputOn } from "./src/surfaces/cli/output.ts";
  const lines = "a line of words\\n".repeat(1000 * Number(process.argv[2]));
  outputOn(1).write(lines, (error) => {
    outputOn(2).write(error ? error.code : "written", () => process.exit(0));
  });
`);

const thousandLines = 16_000;

test("what is written into a pipe is whole when the writer is told so", () => {
  const { stdout, stderr } = spawnSync(process.execPath, [program, "500"], { maxBuffer: 2 ** 26 });
  expect(stdout).toHaveLength(500 * thousandLines);
  expect(String(stderr)).toBe("written");
});

test("what is written into a file is whole when the writer is told so", () => {
  const file = join(mkdtempSync(join(tmpdir(), "lectern-output-")), "answer");
  const descriptor = openSync(file, "w");
  spawnSync(process.execPath, [program, "20"], { stdio: ["ignore", descriptor, "ignore"] });
  closeSync(descriptor);
  expect(readFileSync(file)).toHaveLength(20 * thousandLines);
});

test("[house.cli.pipe] a reader that has gone is told to the writer and ends nothing", () => {
  const line = `"$0" "$1" 500 | head -c 1; echo " $PIPESTATUS"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", line, process.execPath, program], {
    encoding: "utf8",
  });
  expect(stdout).toBe("a 0\n");
  expect(stderr).toBe("EPIPE");
});

test("a pipe that is full and does not let a writer wait still gets everything", async () => {
  const pipe = join(mkdtempSync(join(tmpdir(), "lectern-output-")), "pipe");
  execFileSync("mkfifo", [pipe]);
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const writer = spawn(process.execPath, [program, "20"], { stdio: ["ignore", end, "pipe"] });
  const ended = once(writer, "close");
  closeSync(end);
  let told = "";
  writer.stderr?.on("data", (data) => {
    told += data;
  });
  // Time for it to fill the pipe, which nobody reads yet.
  await setTimeout(500);
  expect(told).toBe("");
  const { stdout } = await promisify(execFile)("cat", [pipe], { maxBuffer: 2 ** 26 });
  await ended;
  expect(stdout).toHaveLength(20 * thousandLines);
  expect(told).toBe("written");
});
