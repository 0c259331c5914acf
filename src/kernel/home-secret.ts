import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { uniqueName } from "./hashing.ts";
import { contentOf } from "./kept-file.ts";

/** A secret of a home: a file of mode 0600, so that whoever can read it is the home's owner. */
export function readSecret(path: string): string | undefined {
  const text = contentOf(path)?.trim();
  return text !== undefined && /^[\w-]{43}$/.test(text) ? text : undefined;
}

/** Makes the secret anew: what was signed with the old one holds no longer. */
export function renewSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { fresh, secret } = writeFresh(path);
  renameSync(fresh, path);
  return secret;
}

/**
 * The secret, made at the first call. Of several processes that make it at once, all get the same.
 * One that others could read, or that is not whole, is replaced.
 */
export function ensureSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const isPrivate = process.platform === "win32" || (stat && (stat.mode & 0o077) === 0);
  const kept = stat?.isFile() && isPrivate ? readSecret(path) : undefined;
  if (kept !== undefined) return kept;
  if (stat) rmSync(path);
  const { fresh } = writeFresh(path);
  try {
    linkSync(fresh, path);
  } catch (error) {
    // Some file systems know no links.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") copyFileSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
  const made = readSecret(path);
  if (made === undefined) throw new Error("The home's secret cannot be read.");
  return made;
}

function writeFresh(path: string): { fresh: string; secret: string } {
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  const secret = randomBytes(32).toString("base64url");
  const fresh = join(dirname(path), `.${uniqueName()}.new`);
  writeFileSync(fresh, `${secret}\n`, { flag: "wx", mode: 0o600, flush: true });
  return { fresh, secret };
}
