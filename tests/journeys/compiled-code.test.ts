import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshHome, runProgram } from "./program.ts";

/** Newer versions of Node keep compiled code themselves, elsewhere. */
const isOurs = !("enableCompileCache" in nodeModule);

test.skipIf(!isOurs)(
  "[house.start.compiled] compiled code that was damaged is compiled anew, and nobody notices",
  async () => {
    const home = freshHome();
    const status = () => runProgram(["status"], { home });
    const first = await status();
    const [name = "none"] = readdirSync(join(home, "cache"));
    const kept = join(home, "cache", name);
    const whole = readFileSync(kept);
    const changed = (at: number, bytes: Buffer) =>
      Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at + bytes.length)]);
    const half = Math.floor(whole.length / 2);

    for (const damaged of [
      changed(half, Buffer.alloc(4_096, 0xff)),
      changed(1_000, Buffer.alloc(64)),
      changed(whole.length - 4, Buffer.from("nope")),
      whole.subarray(0, half),
      Buffer.alloc(3),
      Buffer.alloc(0),
    ]) {
      writeFileSync(kept, damaged);
      expect(await status()).toEqual(first);
      expect(readFileSync(kept).length).toBeGreaterThan(half);
    }
    expect(first).toMatchObject({ code: 0, stderr: "" });
  },
);
