import { execFileSync } from "node:child_process";
import { invalid } from "../failure.ts";
import { readTextIfPresent } from "../files/atomic-file.ts";

/** The id of a user given by name or number. */
export function resolveUid(name: string): number {
  if (/^\d{1,10}$/.test(name)) return Number(name);
  if (!/^[a-z_][a-z0-9_.-]*\$?$/i.test(name)) throw unknownUser(name);
  for (const line of (readTextIfPresent("/etc/passwd") ?? "").split("\n")) {
    const [account, , uid] = line.split(":");
    if (account === name && uid !== undefined && /^\d+$/.test(uid)) return Number(uid);
  }
  return resolveUidWithId(name);
}

/** Accounts of a directory service are not in `/etc/passwd`; `id` uses the system's lookup. */
function resolveUidWithId(name: string): number {
  try {
    const output = execFileSync("id", ["-u", "--", name], {
      encoding: "utf8",
      timeout: 5_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    if (/^\d+\n$/.test(output)) return Number(output);
  } catch {
    // Any failure means that the user is unknown.
  }
  throw unknownUser(name);
}

const unknownUser = (name: string) =>
  invalid(`--allow-user: there is no user '${name.slice(0, 80)}' on this machine.`, [
    "Pass the name or number of an account.",
  ]);
