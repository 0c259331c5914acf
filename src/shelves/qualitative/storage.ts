import { projectWithinSql } from "../../kernel/approval/project-ref.ts";
import { restoreChecksummed, runChecksummed } from "../../kernel/integrity/checksummed-rows.ts";
import type { Database } from "../../kernel/storage/database.ts";
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

export const allPolicyRules = (db: Database): PolicyRule[] =>
  db.all("SELECT operation, agent, tier FROM qualitative_policy ORDER BY operation, agent");

export function savePolicyRule(db: Database, { operation, agent, tier }: PolicyRule): void {
  restoreChecksummed(db, [policyTables.rules]);
  runChecksummed(
    db,
    policyTables.rules,
    `INSERT INTO qualitative_policy (operation, agent, tier) VALUES (?, ?, ?)
       ON CONFLICT (operation, agent) DO UPDATE SET agent = excluded.agent, tier = excluded.tier`,
    operation,
    agent,
    tier,
  );
}

export const deletePolicyRule = (
  db: Database,
  { operation, agent }: Omit<PolicyRule, "tier">,
): void => {
  restoreChecksummed(db, [policyTables.rules]);
  const sql = "DELETE FROM qualitative_policy WHERE operation = ? AND agent = ?";
  runChecksummed(db, policyTables.rules, sql, operation, agent);
};

export const findPolicyRule = (
  db: Database,
  { operation, agent }: Omit<PolicyRule, "tier">,
): { tier: Tier } | undefined =>
  db.get("SELECT tier FROM qualitative_policy WHERE operation = ? AND agent = ?", operation, agent);

/** A client that the researcher trusts to relay answers. */
export interface TrustedClient {
  client: string;
  /** ISO 8601. */
  since: string;
}

export const allTrustedClients = (db: Database): TrustedClient[] =>
  db.all("SELECT client, since FROM qualitative_trusted_clients ORDER BY client");

export const findTrustedClient = (
  db: Database,
  client: string,
  keyHash: string,
): { since: string } | undefined =>
  db.get(
    "SELECT since FROM qualitative_trusted_clients WHERE client = ? AND key_hash = ?",
    client,
    keyHash,
  );

export function saveTrustedClient(
  db: Database,
  trusted: TrustedClient & { keyHash: string },
): void {
  restoreChecksummed(db, [policyTables.clients]);
  runChecksummed(
    db,
    policyTables.clients,
    `INSERT INTO qualitative_trusted_clients (client, key_hash, since) VALUES (?, ?, ?)
       ON CONFLICT (client) DO UPDATE SET key_hash = excluded.key_hash, since = excluded.since`,
    trusted.client,
    trusted.keyHash,
    trusted.since,
  );
}

export function deleteTrustedClient(db: Database, client: string): boolean {
  restoreChecksummed(db, [policyTables.clients]);
  const sql = "DELETE FROM qualitative_trusted_clients WHERE client = ?";
  return runChecksummed(db, policyTables.clients, sql, client).changes > 0;
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

export function insertReadRecord(db: Database, read: Omit<ReadRecord, "id">): void {
  db.run(
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
  AND (?3 IS NULL OR (project = ?3 AND source_id IN (SELECT value FROM json_each(?4))))`;

const scopeValues = ({ within, sources }: ReadRecordScope) =>
  [within ?? null, sources?.project ?? null, JSON.stringify(sources?.ids ?? [])] as const;

/** Records with an id below the given one, newest first. */
export const readRecordsBelow = (
  db: Database,
  { below, limit, ...scope }: ReadRecordScope & { below: number; limit: number },
): ReadRecord[] =>
  db.all(
    `SELECT id, at, agent, call, operation, project, source_id, source_name, start_pos, end_pos
       FROM qualitative_reads WHERE ${inScopeSql} ORDER BY id DESC LIMIT ?5`,
    below,
    ...scopeValues(scope),
    limit,
  );

export const countReadRecords = (
  db: Database,
  { below, ...scope }: ReadRecordScope & { below: number },
): number =>
  db.get<{ count: number }>(
    `SELECT count(*) AS count FROM qualitative_reads WHERE ${inScopeSql}`,
    below,
    ...scopeValues(scope),
  )?.count ?? 0;
