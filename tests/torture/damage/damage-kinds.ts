import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { openDatabase } from "../../../src/kernel/storage/database.ts";
import { sample, startServer } from "../../journeys/program.ts";
import { filesBelow } from "../files-below.ts";
import { httpClientAt } from "../http-client.ts";
import { killServer } from "../kill-server.ts";
import { type Damage, damaged } from "./damaged-bytes.ts";
import type { IntactHome } from "./intact-home.ts";

/** One kind of stored data, and how it is damaged. */
export interface Kind {
  /** The file that it is, or is part of. */
  path(intact: IntactHome): string;
  apply(intact: IntactHome, random: () => number): Promise<Damage>;
  /** For a part of a file: the queries that depend on it, whose answers may differ. */
  queries?: readonly string[];
}

/** A file, by its path. */
const file = (path: Kind["path"]): Kind => ({
  path,
  async apply(intact, random) {
    const filePath = path(intact);
    if (/-(wal|shm)$/.test(filePath)) await createWriteAheadLog(intact);
    // A journal exists only during a write; any bytes in its file are valid.
    const before = readFileSync(existsSync(filePath) ? filePath : filePath.replace(/-\w+$/, ""));
    const damage = damaged(before, random);
    writeFileSync(filePath, damage.bytes);
    return damage;
  },
});

/** A text column of the store that is parsed as data. */
const column = (table: string, name: string, queries: readonly string[]): Kind => ({
  path: storeOf,
  async apply(intact, random) {
    const db = openDatabase(storeOf(intact));
    try {
      const rows = db.all<{ position: number; text: string }>(
        `SELECT rowid AS position, ${name} AS text FROM ${table} WHERE ${name} IS NOT NULL ORDER BY rowid`,
      );
      const row = rows[Math.floor(random() * rows.length)];
      if (!row) throw new Error(`${table} has no rows.`);
      const { name: what, bytes } = damaged(Buffer.from(row.text), random);
      // Drivers truncate text at a NUL character.
      const text = bytes.toString("latin1").replaceAll("\0", "?");
      db.run(`UPDATE ${table} SET ${name} = ? WHERE rowid = ?`, text, row.position);
      return { name: what, bytes };
    } finally {
      db.close();
    }
  },
  queries,
});

const storeOf = ({ home }: IntactHome): string => join(home, "lectern.sqlite");

const files: Record<string, Kind> = {
  store: file(storeOf),
  "store's log": file((intact) => `${storeOf(intact)}-wal`),
  "log's index": file((intact) => `${storeOf(intact)}-shm`),
  lease: file(({ home }) => join(home, "lease.sqlite")),
  "lease's journal": file(({ home }) => join(home, "lease.sqlite-journal")),
  heartbeat: file(({ home }) => join(home, "lease.beat")),
  secret: file(({ home }) => join(home, "secret")),
  configuration: file(({ home }) => join(home, "config.json")),
  "configuration's copy": file(({ home }) => join(home, "config.json.bak")),
  // Newer versions of Node store it themselves, elsewhere.
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
  "change's undo data": column("changes", "undo", ["activity"]),
};

/** Files in a home and its library that belong to no kind. */
export function unknownFiles(intact: IntactHome): string[] {
  const known = Object.values(files).map(({ path }) => path(intact));
  const ownFiles = filesBelow(intact.root).filter(
    (path) => !existsSync(join(sample, path)) && !path.startsWith("code"),
  );
  return [
    ...filesBelow(intact.home).map((path) => join(intact.home, path)),
    ...ownFiles.map((path) => join(intact.root, path)),
  ].filter((path) => !known.includes(path));
}

/** Leaves a write-ahead log, by killing a server after a write. */
async function createWriteAheadLog({ home, root }: IntactHome): Promise<void> {
  const server = await startServer(home, ["--root", root]);
  await httpClientAt(server.url).callAsPerson("POST", "/update");
  await killServer(server);
}
