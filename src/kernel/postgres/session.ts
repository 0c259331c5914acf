import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import type { ClientConfig, types as driverTypes, Client as PgClient, QueryResult } from "pg";
import { openStopSignal } from "../calls/stop-signal.ts";
import { Failure } from "../failure.ts";
import type { DatabaseHost, PostgresHome } from "./home-address.ts";
import {
  commitUnknown,
  connectionLost,
  postgresError,
  statementTimeout,
} from "./postgres-errors.ts";
import type { SqlParameter, StatementOptions } from "./sql-client.ts";

/** One connection. It runs statements in the order of their calls and sends each immediately. */
export interface Session {
  readonly host: DatabaseHost;
  readonly isStandby: boolean;
  /** The number of promotions in the history of a primary; undefined for a standby. */
  readonly timeline: number | undefined;
  readonly serverVersion: number;
  /** The server's process, as `pg_stat_activity` names it. */
  readonly processId: number;
  readonly isLost: boolean;
  readonly roundTrips: number;
  query<Row>(
    sql: string,
    values?: readonly SqlParameter[],
    options?: StatementOptions,
  ): Promise<StatementResult<Row>>;
  /** Calls the listener for each NOTIFY of a channel that this session listens to. */
  onNotification(listener: (channel: string, payload: string) => void): void;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

interface StatementResult<Row> {
  rows: Row[];
  changes: number;
  /** What the server did, such as ROLLBACK for the commit of a failed transaction. */
  command: string;
}

export interface SessionDeadlines {
  connectMs: number;
  statementMs: number;
}

interface SessionState {
  standby: boolean;
  timeline: string | null;
  version: number;
  pid: number;
}

type TypeParser = typeof driverTypes.getTypeParser;

/** How long a cancelled statement may take to end before its connection is closed. */
const cancelGraceMs = 2_000;

/**
 * One statement prepares a session. The schemas of extensions are searched too, wherever they were
 * installed. The server's keepalives free the locks of a vanished host within seconds.
 */
const sessionSetup = `
  SELECT pg_is_in_recovery() AS standby,
    CASE WHEN NOT pg_is_in_recovery()
      THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline,
    current_setting('server_version_num')::int AS version,
    pg_backend_pid() AS pid,
    set_config('search_path', quote_ident($1) || coalesce(
      (SELECT string_agg(DISTINCT ', ' || quote_ident(nspname), '')
        FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
        WHERE nspname <> 'pg_catalog'), ''), false),
    set_config('statement_timeout', $2, false),
    set_config('idle_in_transaction_session_timeout', '60s', false),
    set_config('tcp_keepalives_idle', '2', false),
    set_config('tcp_keepalives_interval', '1', false),
    set_config('tcp_keepalives_count', '3', false),
    set_config('tcp_user_timeout', '5s', false)`;

export async function openSession(
  host: DatabaseHost,
  home: PostgresHome,
  deadlines: SessionDeadlines,
): Promise<Session> {
  const { Client, types } = await import("pg").then((module) => module.default);
  const client = new Client(clientConfig(host, home, deadlines, types.getTypeParser));
  let isLost = false;
  let pending = 0;
  let roundTrips = 0;
  const ended = new Promise<void>((resolve) => {
    client.once("end", () => {
      isLost = true;
      resolve();
    });
  });
  // Without a listener, an error of an idle connection would end the process.
  client.on("error", () => {
    isLost = true;
  });
  // A cancelled commit succeeds at the primary, with a warning that no standby confirmed it.
  let isUnconfirmed = false;
  client.on("notice", ({ routine }) => {
    if (routine === "SyncRepWaitForLSN") isUnconfirmed = true;
  });
  const destroy = (): void => {
    isLost = true;
    socketOf(client).destroy();
  };

  const query: Session["query"] = async <Row>(
    sql: string,
    values: readonly SqlParameter[] = [],
    options: StatementOptions = {},
  ) => {
    options.signal?.throwIfAborted();
    if (isLost) throw connectionLost(host);
    const isPrepared = options.prepared ?? values.length > 0;
    if (pending++ === 0) roundTrips++;
    const stop = openStopSignal(
      options.signal ? [options.signal] : [],
      options.deadlineMs ?? deadlines.statementMs,
    );
    let grace: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      cancelStatement(client, host, deadlines.connectMs);
      grace = setTimeout(destroy, cancelGraceMs);
    };
    stop.signal.addEventListener("abort", cancel, { once: true });
    try {
      const result: QueryResult | QueryResult[] = await client.query({
        text: sql,
        ...(values.length > 0 && { values: [...values] }),
        ...(isPrepared && { name: statementName(sql) }),
      });
      if (isUnconfirmed) {
        isUnconfirmed = false;
        throw commitUnknown(host);
      }
      const last = Array.isArray(result) ? result.at(-1) : result;
      const { rows = [], rowCount = 0, command = "" } = last ?? {};
      return { rows: rows as Row[], changes: rowCount ?? 0, command };
    } catch (error) {
      if (error instanceof Failure) throw error;
      options.signal?.throwIfAborted();
      if (stop.signal.aborted) throw statementTimeout(host);
      throw postgresError(error, host, home);
    } finally {
      pending--;
      clearTimeout(grace);
      stop.signal.removeEventListener("abort", cancel);
      stop.release();
    }
  };

  try {
    await client.connect();
    const { rows } = await query<SessionState>(
      sessionSetup,
      [home.schema, String(deadlines.statementMs)],
      {
        deadlineMs: deadlines.connectMs,
        prepared: false,
      },
    );
    const [{ standby, timeline, version, pid }] = rows as [SessionState];
    return {
      host,
      isStandby: standby,
      timeline: timeline === null ? undefined : Number.parseInt(timeline, 16),
      serverVersion: version,
      processId: pid,
      get isLost() {
        return isLost;
      },
      get roundTrips() {
        return roundTrips;
      },
      ended,
      query,
      onNotification: (listener) => {
        client.on("notification", ({ channel, payload = "" }) => listener(channel, payload));
      },
      async close() {
        isLost = true;
        const force = setTimeout(destroy, cancelGraceMs);
        await client.end().catch(() => undefined);
        clearTimeout(force);
      },
    };
  } catch (error) {
    destroy();
    throw postgresError(error, host, home);
  }
}

function clientConfig(
  host: DatabaseHost,
  { user, password, database, tls, tlsAuthorities }: PostgresHome,
  { connectMs }: SessionDeadlines,
  defaultParser: TypeParser,
): ClientConfig {
  const authorities =
    tlsAuthorities === undefined ? {} : { ca: readFileSync(tlsAuthorities, "utf8") };
  return {
    host: host.name,
    port: host.port,
    user,
    database,
    ...(password !== undefined && { password }),
    ssl: tls === "disable" ? false : { rejectUnauthorized: tls === "verify-full", ...authorities },
    application_name: "lectern",
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    // Statements are sent without waiting for the results of earlier ones.
    pipeline: true,
    types: {
      getTypeParser: ((type: number, format?: "text") =>
        type === bigintType ? Number : defaultParser(type, format)) as TypeParser,
    },
  };
}

const bigintType = 20;

/** A statement is prepared once for each session, under a name that its text determines. */
const statementName = (sql: string): string =>
  `lectern_${createHash("sha1").update(sql).digest("base64url")}`;

/** Asks the server to cancel what the session is running; the request is a connection of its own. */
function cancelStatement(client: PgClient, host: DatabaseHost, deadlineMs: number): void {
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80_877_102, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.name.startsWith("/")
    ? connectSocket(`${host.name}/.s.PGSQL.${host.port}`)
    : connectSocket(host.port, host.name);
  // If the request is not delivered, the connection is closed after the grace.
  socket.on("error", () => socket.destroy());
  socket.setTimeout(deadlineMs, () => socket.destroy());
  socket.end(request);
}

/** The driver closes its socket only politely, which a vanished host never answers. */
const socketOf = (client: PgClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
