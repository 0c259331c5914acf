import type { Database } from "../../kernel/database.ts";
import type { Tier } from "./tier.ts";

export interface Rule {
  operation: string;
  agent: string;
  tier: Tier;
}

export const allRules = (db: Database): Rule[] =>
  db.all("SELECT operation, agent, tier FROM qualitative_policy ORDER BY operation, agent");

export function putRule(db: Database, { operation, agent, tier }: Rule): void {
  db.run(
    "INSERT OR REPLACE INTO qualitative_policy (operation, agent, tier) VALUES (?, ?, ?)",
    operation,
    agent,
    tier,
  );
}

export const removeRule = (db: Database, { operation, agent }: Omit<Rule, "tier">): void => {
  db.run("DELETE FROM qualitative_policy WHERE operation = ? AND agent = ?", operation, agent);
};

export const ruleOf = (
  db: Database,
  { operation, agent }: Omit<Rule, "tier">,
): { tier: Tier } | undefined =>
  db.get("SELECT tier FROM qualitative_policy WHERE operation = ? AND agent = ?", operation, agent);

/** A client that the researcher trusts to relay their answers. */
export interface TrustedClient {
  client: string;
  /** ISO 8601. */
  since: string;
}

export const allTrusted = (db: Database): TrustedClient[] =>
  db.all("SELECT client, since FROM qualitative_trusted_clients ORDER BY client");

export const trustedBy = (
  db: Database,
  client: string,
  keyHash: string,
): { since: string } | undefined =>
  db.get(
    "SELECT since FROM qualitative_trusted_clients WHERE client = ? AND key_hash = ?",
    client,
    keyHash,
  );

export function putTrusted(db: Database, trusted: TrustedClient & { keyHash: string }): void {
  db.run(
    "INSERT OR REPLACE INTO qualitative_trusted_clients (client, key_hash, since) VALUES (?, ?, ?)",
    trusted.client,
    trusted.keyHash,
    trusted.since,
  );
}

export const removeTrusted = (db: Database, client: string): boolean =>
  db.run("DELETE FROM qualitative_trusted_clients WHERE client = ?", client).changes > 0;

/** A passage whose words an agent was given. */
export interface Passage {
  source_id: number;
  source_name: string | null;
  start_pos: number;
  end_pos: number;
}

export interface Read extends Passage {
  id: number;
  /** ISO 8601. */
  at: string;
  agent: string;
  call: string;
  operation: string;
  project: string;
}

export function insertRead(db: Database, read: Omit<Read, "id">): void {
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

/** The newest first, below a number. */
export const readsBelow = (
  db: Database,
  { below, limit }: { below: number; limit: number },
): Read[] =>
  db.all(
    `SELECT id, at, agent, call, operation, project, source_id, source_name, start_pos, end_pos
       FROM qualitative_reads WHERE id < ? ORDER BY id DESC LIMIT ?`,
    below,
    limit,
  );

export const countReads = (db: Database, below: number): number =>
  db.get<{ count: number }>("SELECT count(*) AS count FROM qualitative_reads WHERE id < ?", below)
    ?.count ?? 0;
