import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { childSource } from "../../../../tests/child-source.ts";

/** Writes this many thousand lines in one call, and reports the result on stderr. */
const program = childSource(`
  import { openProcessOutput } from "./src/surfaces/cli/output/process-output.ts";
  const lines = "a line of words\\n".repeat(1000 * Number(process.argv[2]));
  openProcessOutput(1).write(lines, (error) => {
    openProcessOutput(2).write(error ? error.code : "written", () => process.exit(0));
  });
`);

const thousandLines = 16_000;

test("a pipe has everything when the write callback is called", () => {
  const { stdout, stderr } = spawnSync(process.execPath, [program, "500"], { maxBuffer: 2 ** 26 });
  expect(stdout).toHaveLength(500 * thousandLines);
  expect(String(stderr)).toBe("written");
});

test("a file has everything when the write callback is called", () => {
  const file = join(mkdtempSync(join(tmpdir(), "lectern-output-")), "answer");
  const descriptor = openSync(file, "w");
  spawnSync(process.execPath, [program, "20"], { stdio: ["ignore", descriptor, "ignore"] });
  closeSync(descriptor);
  expect(readFileSync(file)).toHaveLength(20 * thousandLines);
});

test("[core.cli.pipe] a closed reader is reported to the writer and does not end the process", () => {
  const line = `"$0" "$1" 500 | head -c 1; echo " $PIPESTATUS"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", line, process.execPath, program], {
    encoding: "utf8",
  });
  expect(stdout).toBe("a 0\n");
  expect(stderr).toBe("EPIPE");
});

test("a full non-blocking pipe still gets everything", async () => {
  const pipe = join(mkdtempSync(join(tmpdir(), "lectern-output-")), "pipe");
  execFileSync("mkfifo", [pipe]);
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const writer = spawn(process.execPath, [program, "20"], { stdio: ["ignore", end, "pipe"] });
  const ended = once(writer, "close");
  closeSync(end);
  let received = "";
  writer.stderr?.on("data", (data) => {
    received += data;
  });
  // Waits until the process has filled the pipe, which is not read yet.
  await setTimeout(500);
  expect(received).toBe("");
  const { stdout } = await promisify(execFile)("cat", [pipe], { maxBuffer: 2 ** 26 });
  await ended;
  expect(stdout).toHaveLength(20 * thousandLines);
  expect(received).toBe("written");
});
