import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/**
 * Whatever a test file and the programs that it starts put into the system's temporary folder lies
 * in one folder of its own, which goes when the file has run, or could not be.
 */
const whole = tmpdir();
const own = mkdtempSync(join(whole, "lectern-test-"));
process.env.TMPDIR = own;

const remove = () => rmSync(own, { recursive: true, force: true, maxRetries: 5 });
process.once("exit", remove);

afterAll(() => {
  process.env.TMPDIR = whole;
  remove();
});
