import { get, run, type Steps, transaction } from "../../kernel/storage/steps.ts";

/** The process that serves a project. */
export interface LeaseHolder {
  /** Unique for each process. */
  holder: string;
  host: string;
  pid: number;
}

/** The clock of the store, in milliseconds: the clocks of the servers may differ. */
const now = {
  sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  postgres: "CAST(date_part('epoch', clock_timestamp()) * 1000 AS bigint)",
};

const holderSql = (clock: string): string =>
  `SELECT holder, host, pid FROM qualitative_leases WHERE project = ? AND expires > ${clock}`;

const currentHolder = { sqlite: holderSql(now.sqlite), postgres: holderSql(now.postgres) };

const saveSql = (clock: string): string =>
  `INSERT INTO qualitative_leases (project, holder, host, pid, expires)
     VALUES (?, ?, ?, ?, ${clock} + ?)
     ON CONFLICT (project) DO UPDATE SET
       holder = excluded.holder, host = excluded.host, pid = excluded.pid, expires = excluded.expires`;

const saveLease = { sqlite: saveSql(now.sqlite), postgres: saveSql(now.postgres) };

/**
 * Takes the lease of a project, or extends it. Returns the holder if another process has it; one that
 * has ended does not.
 */
export function* takeLease(
  project: string,
  { holder, host, pid }: LeaseHolder,
  { durationMs, hasEnded }: { durationMs: number; hasEnded(holder: string): boolean },
): Steps<LeaseHolder | undefined> {
  return yield* transaction(function* () {
    const other = yield* get<LeaseHolder>(currentHolder, project);
    if (other && other.holder !== holder && !hasEnded(other.holder)) return other;
    yield* run(saveLease, project, holder, host, pid, durationMs);
    return undefined;
  });
}

export function* deleteLease(project: string, holder: string): Steps<void> {
  yield* run("DELETE FROM qualitative_leases WHERE project = ? AND holder = ?", project, holder);
}
