import type { PrivateFileRow } from "../paths/private-files.ts";
import { createLatest } from "../processes/latest.ts";
import type { SqlRunner } from "./sql-client.ts";

/**
 * What code without access to the database reads: the configuration and the list of private files. It is
 * refreshed in one round trip at the start of each call.
 */
export interface HomeSnapshot {
  readonly configuration: StoredConfiguration;
  readonly privateFiles: readonly PrivateFileRow[];
  /** Changes with the list of private files. */
  readonly privateFilesVersion: string;
  /** The configuration that a transaction has just written. */
  setConfiguration(configuration: StoredConfiguration): void;
  refresh(): Promise<void>;
}

interface StoredConfiguration {
  version: number;
  /** JSON. */
  content: string;
}

interface SnapshotRow {
  version: number;
  /** Null if the version is known. */
  content: string | null;
  privateVersion: string;
  /** Null if the version is known. */
  privateFiles: PrivateFileRow[] | null;
}

/** Only what has changed since the versions in the parameters is sent. */
const selectChanges = `
  SELECT configuration.version, listed.version AS "privateVersion",
      CASE WHEN configuration.version <> $1 THEN content END AS content,
      CASE WHEN listed.version <> $2 THEN
        (SELECT coalesce(json_agg(json_build_object(
            'project', project, 'path', path, 'inode', inode, 'born', born)), '[]')
           FROM private_files) END AS "privateFiles"
    FROM configuration,
      (SELECT count(*) || ':' || coalesce(max(id), 0) AS version FROM private_files) AS listed`;

export async function openHomeSnapshot(sql: SqlRunner): Promise<HomeSnapshot> {
  let configuration: StoredConfiguration = { version: -1, content: "{}" };
  let privateFiles: readonly PrivateFileRow[] = [];
  let privateFilesVersion = "";

  const refresh = createLatest(async () => {
    const row = await sql.get<SnapshotRow>(
      selectChanges,
      [configuration.version, privateFilesVersion],
      { repeatable: true },
    );
    if (!row) throw new Error("The configuration is missing.");
    const { version, content, privateVersion } = row;
    if (content !== null) configuration = { version, content };
    if (row.privateFiles !== null) privateFiles = row.privateFiles;
    privateFilesVersion = privateVersion;
  });
  await refresh();
  return {
    get configuration() {
      return configuration;
    },
    get privateFiles() {
      return privateFiles;
    },
    get privateFilesVersion() {
      return privateFilesVersion;
    },
    setConfiguration(written) {
      configuration = written;
    },
    refresh,
  };
}
