import { copyFileSync, linkSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTextIfPresent } from "../files/atomic-file.ts";
import { createUniqueName } from "../files/hashes.ts";

/** Reads a secret of the home, which has mode 0600 and belongs to the owner of the home. */
export function readSecret(path: string): string | undefined {
  const text = readTextIfPresent(path)?.trim();
  return text !== undefined && /^[\w-]{43}$/.test(text) ? text : undefined;
}

/**
 * Reads the secret, or creates it on the first call. Concurrent processes all get the same one. A
 * secret that is incomplete or that other users could read is replaced.
 */
export function ensureSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const isPrivate = process.platform === "win32" || (stat && (stat.mode & 0o077) === 0);
  const stored = stat?.isFile() && isPrivate ? readSecret(path) : undefined;
  if (stored !== undefined) return stored;
  if (stat) rmSync(path);
  const temporaryPath = writeNewSecret(path);
  try {
    linkSync(temporaryPath, path);
  } catch (error) {
    // Some file systems do not support links.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") copyFileSync(temporaryPath, path);
  } finally {
    rmSync(temporaryPath, { force: true });
  }
  const created = readSecret(path);
  if (created === undefined) throw new Error("The home's secret cannot be read.");
  return created;
}

function writeNewSecret(path: string): string {
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  const secret = randomBytes(32).toString("base64url");
  const temporaryPath = join(dirname(path), `.${createUniqueName()}.new`);
  writeFileSync(temporaryPath, `${secret}\n`, { flag: "wx", mode: 0o600, flush: true });
  return temporaryPath;
}
