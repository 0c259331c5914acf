import { execFileSync } from "node:child_process";
import { invalid } from "../failure.ts";
import { contentOf } from "../kept-file.ts";

/** The id of a user who is named by an account's name or by a number. */
export function uidNamed(name: string): number {
  if (/^\d{1,10}$/.test(name)) return Number(name);
  if (!/^[a-z_][a-z0-9_.-]*\$?$/i.test(name)) throw unknownUser(name);
  for (const line of (contentOf("/etc/passwd") ?? "").split("\n")) {
    const [account, , uid] = line.split(":");
    if (account === name && uid !== undefined && /^\d+$/.test(uid)) return Number(uid);
  }
  return uidFromDirectory(name);
}

/** Accounts of a directory service stand in no file; `id` asks the system's own way. */
function uidFromDirectory(name: string): number {
  try {
    const said = execFileSync("id", ["-u", "--", name], {
      encoding: "utf8",
      timeout: 5_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    if (/^\d+\n$/.test(said)) return Number(said);
  } catch {
    // Whatever the reason, nobody was found.
  }
  throw unknownUser(name);
}

const unknownUser = (name: string) =>
  invalid(`--allow-user: there is no user '${name.slice(0, 80)}' on this machine.`, [
    "Give the name of an account or its number.",
  ]);
