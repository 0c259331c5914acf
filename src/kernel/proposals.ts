import { listCap, numberFrom, type Page, page } from "./bounded.ts";
import type { Actor, Call } from "./call.ts";
import { asksSomething, type ChangeLog } from "./change-log.ts";
import type { Database } from "./database.ts";
import { Failure, notFound } from "./failure.ts";
import type { PerformByName } from "./perform.ts";
import {
  type Draft,
  type Proposal,
  type ProposalRow,
  type ProposalStatus,
  proposalOf,
} from "./proposal.ts";
import { authored, type Tables } from "./tables.ts";

export interface Decision {
  id: number;
  decision: "accept" | "reject" | "withdraw";
  reason?: string | undefined;
  /** Performed instead of what was proposed. */
  input?: Record<string, unknown> | undefined;
}

export interface Proposals {
  propose(draft: Draft, call: Call): Proposal;
  /** The oldest first, since it has waited longest. */
  list(options?: {
    status?: ProposalStatus | undefined;
    limit?: number;
    cursor?: string | undefined;
  }): Page<Proposal>;
  /** What one caller has proposed to a shelf, the newest first, decided or not. */
  latestOf(actor: Actor, shelf: string, limit: number): Proposal[];
  find(id: number): Proposal | undefined;
  /** What waits already to do exactly this. */
  waitingFor(operation: string, input: Record<string, unknown>): Proposal | undefined;
  /** Lets what was accepted by this change wait again: the change was never made. */
  reopen(change: number): void;
  /**
   * Accepting performs the operation. Only its success makes the proposal accepted, in the same
   * transaction where the operation records its change; a failure is told and leaves it pending.
   */
  decide(
    decision: Decision,
    call: Call,
    means: { perform: PerformByName; changes: ChangeLog },
  ): Promise<Proposal>;
}

export const proposalTables = (): Tables =>
  authored(
    [
      `CREATE TABLE proposals (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       at TEXT NOT NULL,
       actor TEXT NOT NULL,
       call TEXT NOT NULL,
       shelf TEXT NOT NULL,
       operation TEXT NOT NULL,
       input TEXT NOT NULL,
       summary TEXT NOT NULL,
       preview TEXT,
       rationale TEXT,
       status TEXT NOT NULL DEFAULT 'pending',
       decided_at TEXT,
       decided_by TEXT,
       reason TEXT,
       edited TEXT,
       result TEXT
     );
     CREATE INDEX proposals_by_status ON proposals (status, id);`,
      "ALTER TABLE proposals ADD COLUMN confidence INTEGER;",
      "ALTER TABLE proposals ADD COLUMN change INTEGER;",
      "ALTER TABLE proposals ADD COLUMN discreet INTEGER;",
    ],
    ["actor", "input", "decided_by", "edited", "result"].map((name) => `proposals.${name}`),
  );

export function openProposals(db: Database): Proposals {
  /** Those being decided here and now, for operations that take their time. */
  const underWay = new Set<number>();

  const proposals: Proposals = {
    propose(draft, call) {
      const { lastId } = db.run(
        `INSERT INTO proposals (at, actor, call, shelf, operation, input, summary, preview, rationale,
           confidence, discreet)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        new Date().toISOString(),
        JSON.stringify(call.actor),
        call.id,
        draft.shelf,
        draft.operation,
        JSON.stringify(draft.input),
        draft.summary,
        draft.preview ?? null,
        draft.rationale ?? null,
        draft.confidence ?? null,
        draft.isDiscreet ? 1 : null,
      );
      call.announce({ topic: "proposals.changed", about: String(lastId) });
      return existing(lastId);
    },
    list({ status, limit = listCap, cursor } = {}) {
      const after = cursor === undefined ? 0 : numberFrom(cursor);
      const matching = "(?1 IS NULL OR status = ?1) AND id > ?2";
      const count = (above: number) =>
        db.get<{ count: number }>(
          `SELECT count(*) AS count FROM proposals WHERE ${matching}`,
          status ?? null,
          above,
        )?.count ?? 0;
      const items = db
        .all<ProposalRow>(
          `SELECT * FROM proposals WHERE ${matching} ORDER BY id LIMIT ?3`,
          status ?? null,
          after,
          limit,
        )
        .map(proposalOf);
      return page(items, {
        total: count(0),
        remaining: count(items.at(-1)?.id ?? after),
        keyOf: ({ id }) => String(id),
      });
    },
    latestOf: (actor, shelf, limit) =>
      db
        .all<ProposalRow>(
          "SELECT * FROM proposals WHERE actor = ? AND shelf = ? ORDER BY id DESC LIMIT ?",
          JSON.stringify(actor),
          shelf,
          limit,
        )
        .map(proposalOf),
    find(id) {
      const row = db.get<ProposalRow>("SELECT * FROM proposals WHERE id = ?", id);
      return row && proposalOf(row);
    },
    waitingFor(operation, input) {
      const row = db.get<ProposalRow>(
        `SELECT * FROM proposals
          WHERE status = 'pending' AND operation = ? AND input = ? ORDER BY id LIMIT 1`,
        operation,
        JSON.stringify(input),
      );
      return row && proposalOf(row);
    },
    reopen(change) {
      db.run(
        `UPDATE proposals
            SET status = 'pending', decided_at = NULL, decided_by = NULL, reason = NULL,
                edited = NULL, result = NULL, change = NULL
          WHERE change = ?`,
        change,
      );
    },
    async decide(decision, call, means) {
      const { id } = decision;
      refuseUnlessPending(existing(id));
      if (underWay.has(id)) throw decidedAlready(id, "being decided");
      underWay.add(id);
      try {
        if (decision.decision === "accept") await accept(decision, call, means);
        else settle(id, decision.decision === "reject" ? "rejected" : "withdrawn", decision, call);
      } finally {
        underWay.delete(id);
      }
      return existing(id);
    },
  };
  return proposals;

  async function accept(
    decision: Decision,
    call: Call,
    { perform, changes }: { perform: PerformByName; changes: ChangeLog },
  ): Promise<void> {
    const { id, input: edited } = decision;
    const { operation, input } = existing(id);
    const isEdited = edited !== undefined && JSON.stringify(edited) !== JSON.stringify(input);
    const accepting = { ...call, accepting: { proposal: id, isEdited } };
    const { result, change } = await changes.alongside(
      accepting,
      ({ id: made }) => settle(id, "accepted", decision, call, made),
      () => perform(operation, edited ?? input, accepting),
    );
    if (!result.ok) throw result.failure ?? asksSomething(operation);
    if (!change) settle(id, "accepted", decision, call);
    db.run("UPDATE proposals SET result = ? WHERE id = ?", JSON.stringify(result.value), id);
  }

  /** Of two that decide at once, the second finds it decided, and what it did is rolled back. */
  function settle(
    id: number,
    status: ProposalStatus,
    decision: Decision,
    call: Call,
    change?: number,
  ): void {
    const { changes } = db.run(
      `UPDATE proposals
          SET status = ?, decided_at = ?, decided_by = ?, reason = ?, edited = ?, change = ?
        WHERE id = ? AND status = 'pending'`,
      status,
      new Date().toISOString(),
      JSON.stringify(call.actor),
      decision.reason ?? null,
      status === "accepted" && decision.input ? JSON.stringify(decision.input) : null,
      change ?? null,
      id,
    );
    if (changes === 0) refuseUnlessPending(existing(id));
    call.announce({ topic: "proposals.changed", about: String(id) });
  }

  function existing(id: number): Proposal {
    const proposal = proposals.find(id);
    if (!proposal) throw notFound(`Proposal not found: ${id}`, ["`proposals` lists them."]);
    return proposal;
  }
}

function refuseUnlessPending({ id, status }: Proposal): void {
  if (status !== "pending") throw decidedAlready(id, status);
}

const decidedAlready = (id: number, status: string): Failure =>
  new Failure("conflict", "already-decided", `Proposal ${id} is ${status} already.`);
