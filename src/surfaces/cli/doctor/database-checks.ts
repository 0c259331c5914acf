import { Failure } from "../../../kernel/failure.ts";
import { describePostgresHome, type PostgresHome } from "../../../kernel/postgres/home-address.ts";
import { openPostgres } from "../../../kernel/postgres/postgres-client.ts";
import type { Check } from "./check.ts";

interface ServerRow {
  version: number;
  versionName: string;
  free: number;
  limit: number;
  standbys: number;
  /** The slowest standby's delay, in seconds. */
  lag: number | null;
  synchronous: string;
}

const oldestVersion = 15;
/** The connections of one server process: its pool, the lease and the notifications. */
const connectionsPerServer = 12;
const maxLagSeconds = 10;

/** Checks the server of a home on PostgreSQL. */
export async function checkDatabase(home: PostgresHome): Promise<Check[]> {
  const database = openPostgres(home, { acquireMs: 3_000 });
  try {
    const row = await database.primary.get<ServerRow>(selectServer);
    if (!row) throw new Error("The server reported nothing.");
    return [
      { name: "database", state: "ok", says: `${describePostgresHome(home)} answers.` },
      checkVersion(row),
      checkConnections(row),
      checkStandbys(row),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const [remedy] = error.hints;
    const check: Check = { name: "database", state: "fail", says: error.message };
    return [remedy === undefined ? check : { ...check, remedy }];
  } finally {
    await database.close();
  }
}

const selectServer = `
  SELECT current_setting('server_version_num')::int / 10000 AS version,
    current_setting('server_version') AS "versionName",
    current_setting('max_connections')::int AS limit,
    current_setting('max_connections')::int - (SELECT count(*) FROM pg_stat_activity
      WHERE backend_type = 'client backend') AS free,
    (SELECT count(*) FROM pg_stat_replication) AS standbys,
    (SELECT extract(epoch FROM max(replay_lag))::float FROM pg_stat_replication) AS lag,
    current_setting('synchronous_standby_names') AS synchronous`;

function checkVersion({ version, versionName }: ServerRow): Check {
  const says = `PostgreSQL ${versionName}.`;
  if (version >= oldestVersion) return { name: "version", state: "ok", says };
  return {
    name: "version",
    state: "fail",
    says,
    remedy: `Upgrade the server to PostgreSQL ${oldestVersion} or newer.`,
  };
}

function checkConnections({ free, limit }: ServerRow): Check {
  const says = `${free} of ${limit} connections are free.`;
  if (free >= connectionsPerServer) return { name: "connections", state: "ok", says };
  return {
    name: "connections",
    state: "warn",
    says,
    remedy: `Raise max_connections: each Lectern server uses up to ${connectionsPerServer}.`,
  };
}

function checkStandbys({ standbys, lag, synchronous }: ServerRow): Check {
  const name = "standbys";
  if (standbys === 0 && synchronous === "") return { name, state: "ok", says: "None configured." };
  if (standbys === 0) {
    const says = "Commits wait for a standby, and none is connected.";
    return { name, state: "fail", says, remedy: "Start a standby." };
  }
  const says = `${standbys} connected, at most ${(lag ?? 0).toFixed(1)} s behind.`;
  if ((lag ?? 0) <= maxLagSeconds) return { name, state: "ok", says };
  return { name, state: "warn", says, remedy: "Check the network and the load of the standbys." };
}
