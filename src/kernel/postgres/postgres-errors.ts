import { Failure, timeoutFailure } from "../failure.ts";
import {
  type DatabaseHost,
  describeHost,
  type PostgresHome,
  withoutPassword,
} from "./home-address.ts";
import { SqlError } from "./sql-error.ts";

/** The fields of an error of the driver, of the server or of the operating system. */
interface DriverError {
  code?: string;
  message?: string;
  constraint?: string;
}

/** Whether the connection ended, so that nothing of an open transaction was stored. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof Failure && error.code === connectionLostCode;

/** Whether another host, or the same one a little later, can succeed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Failure &&
  [connectionLostCode, unreachableCode, readOnlyCode].includes(error.code);

const connectionLostCode = "database-connection-lost";
const unreachableCode = "database-unreachable";
const readOnlyCode = "database-read-only";
const lockBusyCode = "database-locked";

/** Another transaction held a lock for longer than this one waits. */
export const isLockBusy = (error: unknown): boolean =>
  error instanceof Failure && error.code === lockBusyCode;

export function connectionLost(host: DatabaseHost): Failure {
  const message = `The connection to ${describeHost(host)} was lost.`;
  return new Failure("unavailable", connectionLostCode, message, { hints: ["Try again."] });
}

export const unreachable = (message: string, hint: string): Failure =>
  new Failure("unavailable", unreachableCode, message, { hints: [hint] });

const refused = (message: string, hint: string): Failure =>
  new Failure("unavailable", "database-refused", message, { hints: [hint] });

export const databaseBusy = (message: string, hint: string): Failure =>
  new Failure("unavailable", "database-busy", message, { hints: [hint] });

export const readOnlyStandby = (host: DatabaseHost): Failure =>
  new Failure("unavailable", readOnlyCode, `${describeHost(host)} is a read-only standby.`, {
    hints: ["Name the primary in LECTERN_HOME too, such as postgresql://lectern@db1,db2/lectern."],
  });

export const statementTimeout = (host: DatabaseHost): Failure =>
  timeoutFailure(`${describeHost(host)} did not answer a statement in time.`);

export const isTimeout = (error: unknown): boolean =>
  error instanceof Failure && error.code === "timeout";

/** The connection was lost during the commit, or no standby confirmed it in time. */
export const commitUnknown = (host: DatabaseHost): Failure =>
  new Failure(
    "unavailable",
    "commit-unknown",
    `${describeHost(host)} did not confirm a commit: the change may have been stored.`,
    { hints: ["Check whether the change is there before you repeat it."] },
  );

/** What the user or the program has to know of a driver's error. */
export function postgresError(error: unknown, host: DatabaseHost, home: PostgresHome): Error {
  if (error instanceof Failure || error instanceof SqlError) return error;
  const { code = "", message = "", constraint } = error as DriverError;
  const known = failureOf(code, withoutPassword(message, home), host, home);
  if (known) return known;
  // Every SQLSTATE has a digit; EPIPE is an error of the socket.
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    return new SqlError(
      code,
      rejection(code, withoutPassword(message, home), constraint),
      constraint,
    );
  }
  return connectionLost(host);
}

/** Messages of class 42 name tables, columns and tokens; those of other classes can contain data. */
function rejection(code: string, message: string, constraint: string | undefined): string {
  const detail = code.startsWith("42") ? `: ${message}` : "";
  const kind = code === "23505" ? "unique constraint" : "constraint";
  const name = constraint ? ` (${kind} ${constraint})` : "";
  return `PostgreSQL rejected a statement with the error ${code}${name}${detail}`;
}

function failureOf(
  code: string,
  message: string,
  host: DatabaseHost,
  { user, database, schema }: PostgresHome,
): Failure | undefined {
  const at = describeHost(host);
  const startHint = "Start PostgreSQL there, or correct the host and port in LECTERN_HOME.";
  const tlsHint =
    "Correct its certificate, set sslrootcert, or add sslmode=disable in a trusted network.";
  switch (code) {
    case "ECONNREFUSED":
    case "ENOENT":
      return unreachable(`${at} refused the connection.`, startHint);
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return unreachable(`The host ${host.name} is unknown.`, "Correct the host in LECTERN_HOME.");
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ETIMEDOUT":
      return unreachable(`${at} cannot be reached.`, "Check the network and the firewall.");
    case "57P03":
      return unreachable(`${at} is starting or stopping.`, "Try again in a moment.");
    case "57P01":
    case "57P02":
    case "57P05":
    case "25P03":
      return connectionLost(host);
    case "28P01":
      return refused(
        `${at} refused the password of user ${user}: password authentication failed.`,
        "Correct the password in LECTERN_HOME, PGPASSWORD or PGPASSFILE.",
      );
    case "28000":
      return refused(
        `${at} does not admit user ${user} to database ${database} from this machine.`,
        "Add a line for them to pg_hba.conf, or correct the user in LECTERN_HOME.",
      );
    case "3D000":
      return refused(
        `The database ${database} does not exist at ${at}.`,
        `Create it: createdb --owner ${user} ${database}`,
      );
    case "3F000":
      return schemaMissing(schema, user);
    case "42501":
      return refused(
        `User ${user} lacks a permission in schema ${schema} of database ${database}.`,
        `Let a superuser run: ALTER SCHEMA ${schema} OWNER TO ${user}`,
      );
    case "53300":
      return databaseBusy(
        `${at} has too many connections.`,
        "Raise max_connections there, or run fewer servers.",
      );
    case "53100":
      return refused(`The disk of ${at} is full.`, "Free some disk space there.");
    case "53200":
      return databaseBusy(`${at} is out of memory.`, "Add memory, or lower its memory settings.");
    case "25006":
      return readOnlyStandby(host);
    case "57014":
      return statementTimeout(host);
    case "55P03":
      return new Failure(
        "unavailable",
        lockBusyCode,
        `A row, table or lock at ${at} is held by another process.`,
        { hints: ["Try again in a moment."] },
      );
    default:
      break;
  }
  // The driver reports these without a code.
  if (/timeout expired/.test(message)) {
    return unreachable(`${at} did not answer.`, "Check the network and the firewall.");
  }
  if (/does not support SSL/.test(message)) {
    return refused(
      `${at} does not support TLS.`,
      "Enable ssl there, or add sslmode=disable in a trusted network.",
    );
  }
  if (/must be a (non-empty )?string|no password/i.test(message)) {
    return refused(`${at} asks for a password of user ${user}.`, "Set PGPASSWORD or PGPASSFILE.");
  }
  if (/^(ERR_TLS|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_SSL)/.test(code)) {
    return refused(`The TLS certificate of ${at} cannot be verified.`, tlsHint);
  }
  return undefined;
}

export const schemaMissing = (schema: string, user: string): Failure =>
  refused(
    `The schema ${schema} does not exist.`,
    `Let a superuser run: CREATE SCHEMA ${schema} AUTHORIZATION ${user}`,
  );
