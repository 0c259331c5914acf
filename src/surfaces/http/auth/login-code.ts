import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../../kernel/files/hashes.ts";

const validMs = 15 * 60_000;

/**
 * Issues a random code that opens the page once. The folder has one empty file for each unused
 * code, named by the code's hash. So a process that can write to the home can issue a code without
 * a server, and one that can only read the home cannot find out a code.
 */
export function issueLoginCode(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeExpired(folder, Date.now());
  const code = randomBytes(32).toString("base64url");
  writeFileSync(join(folder, sha256Hex(code)), "", { flag: "wx", mode: 0o600, flush: true });
  return code;
}

export interface LoginCodes {
  /** True the first time a code is used, within 15 minutes. */
  redeem(code: string): boolean;
}

export function createLoginCodes(folder: string, now: () => number = Date.now): LoginCodes {
  return {
    redeem(code) {
      const file = join(folder, sha256Hex(code));
      try {
        const age = now() - statSync(file).mtimeMs;
        // Only one of several concurrent requests with the same code can remove the file.
        unlinkSync(file);
        return Math.abs(age) <= validMs;
      } catch {
        return false;
      }
    },
  };
}

function removeExpired(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const modified = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (Math.abs(now - modified) > validMs) rmSync(file, { force: true });
  }
}
