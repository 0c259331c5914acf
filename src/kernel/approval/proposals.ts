import type { Actor, Call } from "../call.ts";
import type { PerformByName } from "../calls/perform.ts";
import { Failure, notFound } from "../failure.ts";
import { intactRows, runChecksummed } from "../integrity/checksummed-rows.ts";
import {
  decodeNumericCursor,
  type ListPage,
  maxListItems,
  toListPage,
} from "../operations/list-page.ts";
import type { Log } from "../runtime/log.ts";
import type { Database } from "../storage/database.ts";
import { readIntactRows } from "../storage/stored-json.ts";
import { approvalOf, type Change } from "./change.ts";
import { type ChangeListener, type ChangeLog, requiresAnswer } from "./change-log.ts";
import { projectWithinSql } from "./project-ref.ts";
import {
  type Proposal,
  type ProposalDraft,
  type ProposalRow,
  type ProposalStatus,
  proposalFromRow,
} from "./proposal.ts";
import { openProposalReopener } from "./proposal-reopener.ts";

export interface ProposalDecision {
  id: number;
  decision: "accept" | "reject" | "withdraw";
  reason?: string | undefined;
  /** The input to perform instead of the proposed one. */
  input?: Record<string, unknown> | undefined;
}

export interface Proposals extends ChangeListener {
  propose(draft: ProposalDraft, call: Call): Proposal;
  /** Oldest first; with `within`, without those of projects outside that folder. */
  list(options?: {
    status?: ProposalStatus | undefined;
    limit?: number;
    cursor?: string | undefined;
    within?: string | undefined;
  }): ListPage<Proposal>;
  /** The proposals of one caller to a shelf, newest first, with any status; `within` as above. */
  latestBy(
    actor: Actor,
    options: { shelf: string; limit: number; within: string | undefined },
  ): Proposal[];
  find(id: number): Proposal | undefined;
  /** The pending proposal with this operation and input. */
  findPending(operation: string, input: Record<string, unknown>): Proposal | undefined;
  /** Makes a rejected proposal pending again. */
  reopen(id: number, call: Call, changes: ChangeLog): Proposal;
  /**
   * Accepting performs the operation. The proposal becomes accepted in the transaction in which the
   * operation records its change; if the operation fails, the proposal stays pending.
   */
  decide(
    decision: ProposalDecision,
    call: Call,
    context: { perform: PerformByName; changes: ChangeLog },
  ): Promise<Proposal>;
}

/** The operations of the review shelf that reject and reopen proposals. */
export const rejectOperationName = "reject_proposal";
export const reopenOperationName = "reopen_proposal";

export function openProposals(db: Database, log?: Log): Proposals {
  const intact = (rows: readonly ProposalRow[]) => intactRows(db, "proposals", rows);
  const readRow = (row: ProposalRow | undefined): Proposal | undefined =>
    row && intact([row]).map(proposalFromRow)[0];
  const readRows = (rows: readonly ProposalRow[]): Proposal[] =>
    readIntactRows(intact(rows), proposalFromRow, log);
  /** Proposals that this process is deciding. Accepting one may run a long operation. */
  const beingDecided = new Set<number>();
  const reopening = openProposalReopener(db);

  const proposals: Proposals = {
    propose(draft, call) {
      const { lastId } = runChecksummed(
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
      return getExisting(lastId);
    },
    list({ status, limit = maxListItems, cursor, within } = {}) {
      const after = cursor === undefined ? 0 : decodeNumericCursor(cursor);
      const condition = `(?1 IS NULL OR status = ?1) AND id > ?2 AND ${projectWithinSql("?3")}`;
      const count = (above: number) =>
        db.get<{ count: number }>(
          `SELECT count(*) AS count FROM proposals WHERE ${condition}`,
          status ?? null,
          above,
          within ?? null,
        )?.count ?? 0;
      const items = readRows(
        db.all<ProposalRow>(
          `SELECT * FROM proposals WHERE ${condition} ORDER BY id LIMIT ?4`,
          status ?? null,
          after,
          within ?? null,
          limit,
        ),
      );
      return toListPage(items, {
        total: count(0),
        remaining: count(items.at(-1)?.id ?? after),
        keyOf: ({ id }) => String(id),
      });
    },
    latestBy: (actor, { shelf, limit, within }) =>
      readRows(
        db.all<ProposalRow>(
          `SELECT * FROM proposals WHERE actor = ?1 AND shelf = ?2 AND ${projectWithinSql("?3")}
            ORDER BY id DESC LIMIT ?4`,
          JSON.stringify(actor),
          shelf,
          within ?? null,
          limit,
        ),
      ),
    find(id) {
      return readRow(db.get<ProposalRow>("SELECT * FROM proposals WHERE id = ?", id));
    },
    findPending(operation, input) {
      const row = db.get<ProposalRow>(
        `SELECT * FROM proposals
          WHERE status = 'pending' AND operation = ? AND input = ? ORDER BY id LIMIT 1`,
        operation,
        JSON.stringify(input),
      );
      return readRow(row);
    },
    onRecorded: recordAccepted,
    onRetracted: reopening.onRetracted,
    onUndone: reopening.onUndone,
    reopen(id, call, changes) {
      return db.transaction(() => {
        const { status, summary, project } = getExisting(id);
        if (!reopening.reopenRefused(id)) {
          throw alreadyDecided(id, status);
        }
        changes.record({
          call,
          operation: reopenOperationName,
          summary: `Reopened proposal ${id}: ${summary}`,
          undo: { operation: rejectOperationName, input: { id } },
          ...(project && { project }),
        });
        call.announce({ topic: "proposals.changed", about: String(id) });
        return getExisting(id);
      });
    },
    async decide(decision, call, context) {
      const { id } = decision;
      assertPending(getExisting(id));
      if (beingDecided.has(id)) throw alreadyDecided(id, "being decided");
      beingDecided.add(id);
      try {
        if (decision.decision === "accept") await accept(decision, call, context);
        else rejectOrWithdraw(decision, call, context.changes);
      } finally {
        beingDecided.delete(id);
      }
      return getExisting(id);
    },
  };
  return proposals;

  async function accept(
    decision: ProposalDecision,
    call: Call,
    { perform, changes }: { perform: PerformByName; changes: ChangeLog },
  ): Promise<void> {
    const { id, reason, input: edited } = decision;
    const { operation, input, summary, project } = getExisting(id);
    const isEdited = edited !== undefined && JSON.stringify(edited) !== JSON.stringify(input);
    const accepting = {
      ...call,
      accepting: { proposal: id, isEdited, reason, input: edited },
      ...(project && { project: project.root }),
    };
    const result = await perform(operation, edited ?? input, accepting);
    if (!result.ok) throw result.failure ?? requiresAnswer(operation);
    if (getExisting(id).status === "pending") {
      // Every approval is logged, even if the operation recorded no change.
      db.transaction(() => {
        changes.record({
          call,
          approval: approvalOf(accepting),
          operation,
          summary: `Accepted proposal ${id}: ${summary}`,
          ...(project && { project }),
        });
        recordDecision(id, "accepted", decision, call);
      });
    }
    const value = JSON.stringify(result.value);
    runChecksummed(db, "proposals", "UPDATE proposals SET result = ? WHERE id = ?", value, id);
  }

  /** The first change of the accepting call settles the proposal, in the same transaction. */
  function recordAccepted(change: Change, call: Call): void {
    if (!call.accepting) return;
    const { proposal: id, ...decision } = call.accepting;
    const { change: settlingChange } = getExisting(id);
    const isSettled =
      settlingChange !== undefined &&
      db.get("SELECT 1 FROM changes WHERE id = ? AND call = ?", settlingChange, call.id) !==
        undefined;
    if (!isSettled)
      recordDecision(id, "accepted", { id, decision: "accept", ...decision }, call, change.id);
  }

  function rejectOrWithdraw(decision: ProposalDecision, call: Call, changes: ChangeLog): void {
    const { id } = decision;
    const { summary, project } = getExisting(id);
    const isRejected = decision.decision === "reject";
    db.transaction(() => {
      const change = changes.record({
        call,
        operation: rejectOperationName,
        summary: `${isRejected ? "Rejected" : "Withdrew"} proposal ${id}: ${summary}`,
        undo: { operation: reopenOperationName, input: { id } },
        ...(project && { project }),
      });
      recordDecision(id, isRejected ? "rejected" : "withdrawn", decision, call, change.id);
    });
  }

  /** If two decisions race, the second finds the proposal decided and its work is rolled back. */
  function recordDecision(
    id: number,
    status: ProposalStatus,
    decision: ProposalDecision,
    call: Call,
    change?: number,
  ): void {
    const { changes } = runChecksummed(
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
    if (changes === 0) assertPending(getExisting(id));
    call.announce({ topic: "proposals.changed", about: String(id) });
  }

  function getExisting(id: number): Proposal {
    const proposal = proposals.find(id);
    if (!proposal) throw notFound(`Proposal not found: ${id}`, ["`proposals` lists them."]);
    return proposal;
  }
}

function assertPending({ id, status }: Proposal): void {
  if (status !== "pending") throw alreadyDecided(id, status);
}

const alreadyDecided = (id: number, status: string): Failure =>
  new Failure("conflict", "already-decided", `Proposal ${id} is already ${status}.`);
