import { listCap, numberFrom, type Page, page } from "./bounded.ts";
import type { Actor, Call } from "./call.ts";
import { approvalOf, type Change } from "./change.ts";
import { asksSomething, type ChangeListener, type ChangeLog } from "./change-log.ts";
import type { Database } from "./database.ts";
import { Failure, notFound } from "./failure.ts";
import { readEach } from "./kept-json.ts";
import type { Log } from "./log.ts";
import type { PerformByName } from "./perform.ts";
import { shownBelow } from "./project-root.ts";
import {
  type Draft,
  type Proposal,
  type ProposalRow,
  type ProposalStatus,
  proposalOf,
} from "./proposal.ts";
import { openReopening } from "./proposal-reopening.ts";
import { runSealed, soundRows } from "./sealed-rows.ts";

export interface Decision {
  id: number;
  decision: "accept" | "reject" | "withdraw";
  reason?: string | undefined;
  /** Performed instead of what was proposed. */
  input?: Record<string, unknown> | undefined;
}

export interface Proposals extends ChangeListener {
  propose(draft: Draft, call: Call): Proposal;
  /** The oldest first; where a folder is given, without those of projects outside it. */
  list(options?: {
    status?: ProposalStatus | undefined;
    limit?: number;
    cursor?: string | undefined;
    within?: string | undefined;
  }): Page<Proposal>;
  /** What one caller has proposed to a shelf, the newest first, decided or not. */
  latestOf(actor: Actor, shelf: string, limit: number): Proposal[];
  find(id: number): Proposal | undefined;
  /** What waits already to do exactly this. */
  waitingFor(operation: string, input: Record<string, unknown>): Proposal | undefined;
  /** Lets what was rejected wait again. */
  reopen(id: number, call: Call, changes: ChangeLog): Proposal;
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

/** The operations of the desk by which a rejection is done and undone. */
export const rejectOperation = "reject_proposal";
export const reopenOperation = "reopen_proposal";

export function openProposals(db: Database, log?: Log): Proposals {
  const sound = (rows: readonly ProposalRow[]) => soundRows(db, "proposals", rows);
  const readRow = (row: ProposalRow | undefined): Proposal | undefined =>
    row && sound([row]).map(proposalOf)[0];
  const readRows = (rows: readonly ProposalRow[]): Proposal[] =>
    readEach(sound(rows), proposalOf, log);
  /** Those being decided here and now, for operations that take their time. */
  const underWay = new Set<number>();
  const reopening = openReopening(db);

  const proposals: Proposals = {
    propose(draft, call) {
      const { lastId } = runSealed(
        db,
        "proposals",
        `INSERT INTO proposals (at, actor, call, shelf, operation, input, summary, preview, rationale,
           confidence, discreet, project, project_name)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
        draft.project?.root ?? null,
        draft.project?.name ?? null,
      );
      call.announce({ topic: "proposals.changed", about: String(lastId) });
      return existing(lastId);
    },
    list({ status, limit = listCap, cursor, within } = {}) {
      const after = cursor === undefined ? 0 : numberFrom(cursor);
      const matching = `(?1 IS NULL OR status = ?1) AND id > ?2 AND ${shownBelow("?3")}`;
      const count = (above: number) =>
        db.get<{ count: number }>(
          `SELECT count(*) AS count FROM proposals WHERE ${matching}`,
          status ?? null,
          above,
          within ?? null,
        )?.count ?? 0;
      const items = readRows(
        db.all<ProposalRow>(
          `SELECT * FROM proposals WHERE ${matching} ORDER BY id LIMIT ?4`,
          status ?? null,
          after,
          within ?? null,
          limit,
        ),
      );
      return page(items, {
        total: count(0),
        remaining: count(items.at(-1)?.id ?? after),
        keyOf: ({ id }) => String(id),
      });
    },
    latestOf: (actor, shelf, limit) =>
      readRows(
        db.all<ProposalRow>(
          "SELECT * FROM proposals WHERE actor = ? AND shelf = ? ORDER BY id DESC LIMIT ?",
          JSON.stringify(actor),
          shelf,
          limit,
        ),
      ),
    find(id) {
      return readRow(db.get<ProposalRow>("SELECT * FROM proposals WHERE id = ?", id));
    },
    waitingFor(operation, input) {
      const row = db.get<ProposalRow>(
        `SELECT * FROM proposals
          WHERE status = 'pending' AND operation = ? AND input = ? ORDER BY id LIMIT 1`,
        operation,
        JSON.stringify(input),
      );
      return readRow(row);
    },
    onRecorded: settleAccepted,
    onRetracted: reopening.onRetracted,
    onUndone: reopening.onUndone,
    reopen(id, call, changes) {
      return db.transaction(() => {
        const { status, summary, project } = existing(id);
        if (!reopening.letRefusedWait(id)) {
          throw decidedAlready(id, status);
        }
        changes.record({
          call,
          operation: reopenOperation,
          summary: `Reopened proposal ${id}: ${summary}`,
          undo: { operation: rejectOperation, input: { id } },
          ...(project && { project }),
        });
        call.announce({ topic: "proposals.changed", about: String(id) });
        return existing(id);
      });
    },
    async decide(decision, call, means) {
      const { id } = decision;
      refuseUnlessPending(existing(id));
      if (underWay.has(id)) throw decidedAlready(id, "being decided");
      underWay.add(id);
      try {
        if (decision.decision === "accept") await accept(decision, call, means);
        else refuse(decision, call, means.changes);
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
    const { id, reason, input: edited } = decision;
    const { operation, input, summary, project } = existing(id);
    const isEdited = edited !== undefined && JSON.stringify(edited) !== JSON.stringify(input);
    const accepting = {
      ...call,
      accepting: { proposal: id, isEdited, reason, input: edited },
      ...(project && { project: project.root }),
    };
    const result = await perform(operation, edited ?? input, accepting);
    if (!result.ok) throw result.failure ?? asksSomething(operation);
    if (existing(id).status === "pending") {
      // Every approval is in the log, also of what writes no entry of its own.
      db.transaction(() => {
        changes.record({
          call,
          approval: approvalOf(accepting),
          operation,
          summary: `Accepted proposal ${id}: ${summary}`,
          ...(project && { project }),
        });
        settle(id, "accepted", decision, call);
      });
    }
    const value = JSON.stringify(result.value);
    runSealed(db, "proposals", "UPDATE proposals SET result = ? WHERE id = ?", value, id);
  }

  /** The proposal is settled by the first change of the call that accepts it, in its transaction. */
  function settleAccepted(change: Change, call: Call): void {
    if (!call.accepting) return;
    const { proposal: id, ...decision } = call.accepting;
    const { change: settled } = existing(id);
    const isSettled =
      settled !== undefined &&
      db.get("SELECT 1 FROM changes WHERE id = ? AND call = ?", settled, call.id) !== undefined;
    if (!isSettled)
      settle(id, "accepted", { id, decision: "accept", ...decision }, call, change.id);
  }

  function refuse(decision: Decision, call: Call, changes: ChangeLog): void {
    const { id } = decision;
    const { summary, project } = existing(id);
    const isRejected = decision.decision === "reject";
    db.transaction(() => {
      const change = changes.record({
        call,
        operation: rejectOperation,
        summary: `${isRejected ? "Rejected" : "Withdrew"} proposal ${id}: ${summary}`,
        undo: { operation: reopenOperation, input: { id } },
        ...(project && { project }),
      });
      settle(id, isRejected ? "rejected" : "withdrawn", decision, call, change.id);
    });
  }

  /** Of two that decide at once, the second finds it decided, and what it did is rolled back. */
  function settle(
    id: number,
    status: ProposalStatus,
    decision: Decision,
    call: Call,
    change?: number,
  ): void {
    const { changes } = runSealed(
      db,
      "proposals",
      `UPDATE proposals
          SET status = ?, decided_at = ?, decided_by = ?, reason = ?, edited = ?, change = ?,
              undone_by = NULL
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
