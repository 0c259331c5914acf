import { projectWithinSql } from "../../kernel/approval/project-ref.ts";
import { restoreChecksummed, runChecksummed } from "../../kernel/integrity/checksummed-rows.ts";
import { all, get, inNumbers, run, type Steps } from "../../kernel/storage/steps.ts";
import type { Tier } from "./governance/tier.ts";

export interface PolicyRule {
  operation: string;
  agent: string;
  tier: Tier;
}

/** The tables of the policy for agents. */
export const policyTables = {
  rules: "qualitative_policy",
  clients: "qualitative_trusted_clients",
} as const;

export const allPolicyRules = (): Steps<PolicyRule[]> =>
  all("SELECT operation, agent, tier FROM qualitative_policy ORDER BY operation, agent");

export function* savePolicyRule({ operation, agent, tier }: PolicyRule): Steps<void> {
  yield* deletePolicyRule({ operation, agent });
  const sql = "INSERT INTO qualitative_policy (operation, agent, tier) VALUES (?, ?, ?)";
  yield* runChecksummed(policyTables.rules, sql, operation, agent, tier);
}

export function* deletePolicyRule({ operation, agent }: Omit<PolicyRule, "tier">): Steps<void> {
  yield* restoreChecksummed(policyTables.rules);
  const sql = `DELETE FROM qualitative_policy WHERE ${isRule}`;
  yield* runChecksummed(policyTables.rules, sql, operation, agent);
}

export const findPolicyRule = ({
  operation,
  agent,
}: Omit<PolicyRule, "tier">): Steps<{ tier: Tier } | undefined> =>
  get(`SELECT tier FROM qualitative_policy WHERE ${isRule}`, operation, agent);

/** Names of agents are the same in capitals. */
const isRule = "operation = ? AND lower(agent) = lower(?)";

/** A client that the researcher trusts to relay answers. */
export interface TrustedClient {
  client: string;
  /** ISO 8601. */
  since: string;
}

export const allTrustedClients = (): Steps<TrustedClient[]> =>
  all("SELECT client, since FROM qualitative_trusted_clients ORDER BY client");

export const findTrustedClient = (
  client: string,
  keyHash: string,
): Steps<{ since: string } | undefined> =>
  get(
    "SELECT since FROM qualitative_trusted_clients WHERE client = ? AND key_hash = ?",
    client,
    keyHash,
  );

export function* saveTrustedClient(trusted: TrustedClient & { keyHash: string }): Steps<void> {
  yield* restoreChecksummed(policyTables.clients);
  yield* runChecksummed(
    policyTables.clients,
    `INSERT INTO qualitative_trusted_clients (client, key_hash, since) VALUES (?, ?, ?)
       ON CONFLICT (client) DO UPDATE SET key_hash = excluded.key_hash, since = excluded.since`,
    trusted.client,
    trusted.keyHash,
    trusted.since,
  );
}

export function* deleteTrustedClient(client: string): Steps<boolean> {
  yield* restoreChecksummed(policyTables.clients);
  const sql = "DELETE FROM qualitative_trusted_clients WHERE client = ?";
  return (yield* runChecksummed(policyTables.clients, sql, client)).length > 0;
}

/** A passage that an agent has read. */
export interface ReadPassage {
  source_id: number;
  source_name: string | null;
  start_pos: number;
  end_pos: number;
}

export interface ReadRecord extends ReadPassage {
  id: number;
  /** ISO 8601. */
  at: string;
  agent: string;
  call: string;
  operation: string;
  project: string;
}

export function* insertReadRecord(read: Omit<ReadRecord, "id">): Steps<void> {
  yield* run(
    `INSERT INTO qualitative_reads
       (at, agent, call, operation, project, source_id, source_name, start_pos, end_pos)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    read.at,
    read.agent,
    read.call,
    read.operation,
    read.project,
    read.source_id,
    read.source_name,
    read.start_pos,
    read.end_pos,
  );
}

/** Which records are shown; all without a limit. */
export interface ReadRecordScope {
  /** Only those of projects in this folder. */
  within?: string | undefined;
  /** Only those of these sources. */
  sources?: { project: string; ids: readonly number[] } | undefined;
}

const inScopeSql = `id < ?1 AND ${projectWithinSql("?2")}
  AND ((project = ?3 AND source_id ${inNumbers("?4")}) OR ?3 IS NULL)`;

const scopeValues = ({ within, sources }: ReadRecordScope) =>
  [within ?? null, sources?.project ?? null, JSON.stringify(sources?.ids ?? [])] as const;

/** Records with an id below the given one, newest first. */
export const readRecordsBelow = ({
  below,
  limit,
  ...scope
}: ReadRecordScope & { below: number; limit: number }): Steps<ReadRecord[]> =>
  all(
    `SELECT id, at, agent, call, operation, project, source_id, source_name, start_pos, end_pos
       FROM qualitative_reads WHERE ${inScopeSql} ORDER BY id DESC LIMIT ?5`,
    below,
    ...scopeValues(scope),
    limit,
  );

export function* countReadRecords({
  below,
  ...scope
}: ReadRecordScope & { below: number }): Steps<number> {
  const row = yield* get<{ count: number }>(
    `SELECT count(*) AS count FROM qualitative_reads WHERE ${inScopeSql}`,
    below,
    ...scopeValues(scope),
  );
  return row?.count ?? 0;
}
