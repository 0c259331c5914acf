import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtFile, freshHome, runProgram } from "../program.ts";

/** Newer versions of Node have their own compile cache, in another folder. */
const hasOwnCache = !("enableCompileCache" in nodeModule);

test.skipIf(!hasOwnCache)(
  "[core.start.compiled] a damaged compile cache is rebuilt silently",
  async () => {
    const home = freshHome();
    const status = () => runProgram(["status"], { home });
    const first = await status();
    const [name = "none"] = readdirSync(join(home, "cache"));
    const cacheFile = join(home, "cache", name);
    const content = readFileSync(cacheFile);
    const changed = (offset: number, bytes: Buffer) =>
      Buffer.concat([content.subarray(0, offset), bytes, content.subarray(offset + bytes.length)]);
    const half = Math.floor(content.length / 2);

    for (const damaged of [
      changed(half, Buffer.alloc(4_096, 0xff)),
      changed(1_000, Buffer.alloc(64)),
      changed(content.length - 4, Buffer.from("nope")),
      content.subarray(0, half),
      Buffer.alloc(3),
      Buffer.alloc(0),
    ]) {
      writeFileSync(cacheFile, damaged);
      expect(await status()).toEqual(first);
      expect(readFileSync(cacheFile).length).toBeGreaterThan(half);
    }
    expect(first).toMatchObject({ code: 0, stderr: "" });
  },
);

test("[core.start.compiled] with a home in PostgreSQL, the code is cached in the user's cache folder", () => {
  const cwd = freshHome();
  const cacheHome = join(cwd, "user-cache");
  spawnSync(process.execPath, [builtFile("lectern.js"), "help"], {
    cwd,
    env: {
      ...process.env,
      LECTERN_HOME: "postgresql://lectern@127.0.0.1:1/lectern?schema=team",
      XDG_CACHE_HOME: cacheHome,
    },
  });
  expect(readdirSync(cwd)).toEqual(hasOwnCache ? ["user-cache"] : []);
});

test("[core.start.source-map] a stack trace of the built program names the original files", () => {
  // A failing write to standard output is an unexpected error.
  const script = `
    const fs = require("node:fs");
    const { writeSync } = fs;
    fs.writeSync = (descriptor, ...rest) => {
      if (descriptor !== 1) return writeSync(descriptor, ...rest);
      writeSync(2, new Error("broken output").stack);
      process.exit(9);
    };
    require(${JSON.stringify(builtFile("start.js"))})("lectern", ["status"]);`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", script], {
    env: { ...process.env, LECTERN_HOME: freshHome() },
    encoding: "utf8",
  });

  expect(status).toBe(9);
  expect(stderr).toMatch(/^Error: broken output\n/);
  expect(stderr).toMatch(/\n {4}at .*src\/surfaces\/cli\/[\w/-]+\.ts:\d+/);
});

test("[core.start.uncaught] an exception that nothing catches is printed without the bundled code", () => {
  const script = `
    const fs = require("node:fs");
    fs.fstatSync = () => { throw new Error("no descriptors"); };
    require(${JSON.stringify(builtFile("start.js"))})("lectern", ["status"]);`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", script], {
    env: { ...process.env, LECTERN_HOME: freshHome() },
    encoding: "utf8",
  });

  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: no descriptors\n {4}at /);
  expect(stderr).toMatch(/\(src\/surfaces\/cli\/output\/process-output\.ts:\d+\)/);
  expect(stderr.length).toBeLessThan(3_000);
});
