import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { openDatabase } from "../../src/kernel/database.ts";
import { sample, startServer } from "../journeys/program.ts";
import { type Damage, damaged } from "./damaged-bytes.ts";
import { filesBelow } from "./files-below.ts";
import { kill } from "./killing.ts";
import type { SoundHome } from "./sound-home.ts";
import { visitorAt } from "./visitor.ts";

/** One kind of thing that is kept, and how it comes to harm. */
export interface Kind {
  /** The file that it is, or is part of. */
  path(sound: SoundHome): string;
  harm(sound: SoundHome, random: () => number): Promise<Damage>;
  /** For a part of a file: which questions are about it, and may be answered in another way. */
  about?: readonly string[];
}

/** A file, by where it lies. */
const file = (path: Kind["path"]): Kind => ({
  path,
  async harm(sound, random) {
    const its = path(sound);
    if (/-(wal|shm)$/.test(its)) await leaveLog(sound);
    // A journal is there only while something is written; any bytes of its file are as good.
    const before = readFileSync(existsSync(its) ? its : its.replace(/-\w+$/, ""));
    const damage = damaged(before, random);
    writeFileSync(its, damage.bytes);
    return damage;
  },
});

/** A text in the store that is read as data. */
const column = (table: string, name: string, about: readonly string[]): Kind => ({
  path: storeOf,
  async harm(sound, random) {
    const db = openDatabase(storeOf(sound));
    try {
      const rows = db.all<{ place: number; text: string }>(
        `SELECT rowid AS place, ${name} AS text FROM ${table} WHERE ${name} IS NOT NULL ORDER BY rowid`,
      );
      const row = rows[Math.floor(random() * rows.length)];
      if (!row) throw new Error(`There is nothing in ${table}.`);
      const { name: what, bytes } = damaged(Buffer.from(row.text), random);
      // The signs of a text may be any, save the one at which a driver would cut it.
      const text = bytes.toString("latin1").replaceAll("\0", "?");
      db.run(`UPDATE ${table} SET ${name} = ? WHERE rowid = ?`, text, row.place);
      return { name: what, bytes };
    } finally {
      db.close();
    }
  },
  about,
});

const storeOf = ({ home }: SoundHome): string => join(home, "lectern.sqlite");

const files: Record<string, Kind> = {
  store: file(storeOf),
  "store's log": file((sound) => `${storeOf(sound)}-wal`),
  "log's index": file((sound) => `${storeOf(sound)}-shm`),
  lease: file(({ home }) => join(home, "lease.sqlite")),
  "lease's journal": file(({ home }) => join(home, "lease.sqlite-journal")),
  heartbeat: file(({ home }) => join(home, "lease.beat")),
  secret: file(({ home }) => join(home, "secret")),
  "page's secret": file(({ home }) => join(home, "page-secret")),
  configuration: file(({ home }) => join(home, "config.json")),
  "configuration's copy": file(({ home }) => join(home, "config.json.bak")),
  // Newer versions of Node keep it themselves, elsewhere.
  ...(!("enableCompileCache" in nodeModule) && {
    "compiled code": file(({ home }) => {
      const [name = "none"] = readdirSync(join(home, "cache"));
      return join(home, "cache", name);
    }),
  }),
  project: file(({ root }) => join(root, "interviews.qda", "data.qda")),
  "project's journal": file(({ root }) => join(root, "interviews.qda", "data.qda-journal")),
  "project's backup": file(({ root }) => {
    const backup = readdirSync(root).find((name) => name.includes("_BKUP_")) ?? "no backup";
    return join(root, backup, "data.qda");
  }),
  "exchange file": file(({ root }) => join(root, "all.qdpx")),
};

export const kinds: Readonly<Record<string, Kind>> = {
  ...files,
  "drift baseline": column("repository_baselines", "symbols", ["drift"]),
  analysis: column("repository_analyses", "analysis", ["analysis"]),
  "proposal's input": column("proposals", "input", ["proposals"]),
  "change's undoing": column("changes", "undo", ["activity"]),
};

/** What was made in a home and its library, and is none of the kinds. */
export function unknownFiles(sound: SoundHome): string[] {
  const known = Object.values(files).map(({ path }) => path(sound));
  const own = filesBelow(sound.root).filter(
    (path) => !existsSync(join(sample, path)) && !path.startsWith("code"),
  );
  return [
    ...filesBelow(sound.home).map((path) => join(sound.home, path)),
    ...own.map((path) => join(sound.root, path)),
  ].filter((path) => !known.includes(path));
}

/** A log stays behind where a server was killed after it wrote. */
async function leaveLog({ home, root }: SoundHome): Promise<void> {
  const server = await startServer(home, ["--root", root]);
  await visitorAt(server.url).asPerson("POST", "/update");
  await kill(server);
}
