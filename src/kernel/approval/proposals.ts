import type { Actor, Call } from "../call.ts";
import { Failure, notFound } from "../failure.ts";
import { intactRows, runChecksummed } from "../integrity/checksummed-rows.ts";
import {
  decodeNumericCursor,
  type ListPage,
  maxListItems,
  toListPage,
} from "../operations/list-page.ts";
import type { Log } from "../runtime/log.ts";
import { all, get, type Steps, transaction } from "../storage/steps.ts";
import { readIntactRows } from "../storage/stored-json.ts";
import { approvalOf, type Change } from "./change.ts";
import {
  type ChangeListener,
  type ChangeLog,
  type Performing,
  requiresAnswer,
} from "./change-log.ts";
import { projectWithinSql } from "./project-ref.ts";
import {
  type Proposal,
  type ProposalDraft,
  type ProposalRow,
  type ProposalStatus,
  proposalFromRow,
} from "./proposal.ts";
import { reopenRefused, reopenRetracted, reopenUndone } from "./proposal-reopener.ts";

export interface ProposalDecision {
  id: number;
  decision: "accept" | "reject" | "withdraw";
  reason?: string | undefined;
  /** The input to perform instead of the proposed one. */
  input?: Record<string, unknown> | undefined;
}

export interface Proposals extends ChangeListener {
  propose(draft: ProposalDraft, call: Call): Steps<Proposal>;
  /** Returns the pending proposal with the same operation and input, if there is one. */
  proposeOnce(draft: ProposalDraft, call: Call): Steps<Proposal>;
  /** Oldest first; with `within`, without those of projects outside that folder. */
  list(options?: {
    status?: ProposalStatus | undefined;
    limit?: number;
    cursor?: string | undefined;
    within?: string | undefined;
  }): Steps<ListPage<Proposal>>;
  /** The proposals of one caller to a shelf, newest first, with any status; `within` as above. */
  latestBy(
    actor: Actor,
    options: { shelf: string; limit: number; within: string | undefined },
  ): Steps<Proposal[]>;
  find(id: number): Steps<Proposal | undefined>;
  /** The pending proposal with this operation and input. */
  findPending(operation: string, input: Record<string, unknown>): Steps<Proposal | undefined>;
  /** Makes a rejected proposal pending again. */
  reopen(id: number, call: Call, changes: ChangeLog): Steps<Proposal>;
  /**
   * Accepting performs the operation. The proposal becomes accepted in the transaction in which the
   * operation records its change; if the operation fails, the proposal stays pending.
   */
  decide(decision: ProposalDecision, call: Call, means: Deciding): Promise<Proposal>;
}

interface Deciding extends Performing {
  changes: ChangeLog;
}

/** The operations of the review shelf that reject and reopen proposals. */
export const rejectOperationName = "reject_proposal";
export const reopenOperationName = "reopen_proposal";

export function openProposals(log?: Log): Proposals {
  function* readRow(row: ProposalRow | undefined): Steps<Proposal | undefined> {
    return row && (yield* intactRows("proposals", [row])).map(proposalFromRow)[0];
  }
  function* readRows(rows: readonly ProposalRow[]): Steps<Proposal[]> {
    return readIntactRows(yield* intactRows("proposals", rows), proposalFromRow, log);
  }
  /** Proposals that this process is deciding. Accepting one may run a long operation. */
  const beingDecided = new Set<number>();

  const proposals: Proposals = {
    *propose(draft, call) {
      const [id = 0] = yield* runChecksummed(
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
      call.announce({ topic: "proposals.changed", about: String(id) });
      return yield* getExisting(id);
    },
    proposeOnce: (draft, call) =>
      transaction(function* () {
        const { operation, input } = draft;
        const pending = yield* proposals.findPending(operation, input);
        return pending ?? (yield* proposals.propose(draft, call));
      }),
    *list({ status, limit = maxListItems, cursor, within } = {}) {
      const after = cursor === undefined ? 0 : decodeNumericCursor(cursor);
      const condition = `(status = ?1 OR ?1 IS NULL) AND id > ?2 AND ${projectWithinSql("?3")}`;
      function* count(above: number): Steps<number> {
        const row = yield* get<{ count: number }>(
          `SELECT count(*) AS count FROM proposals WHERE ${condition}`,
          status ?? null,
          above,
          within ?? null,
        );
        return row?.count ?? 0;
      }
      const items = yield* readRows(
        yield* all<ProposalRow>(
          `SELECT * FROM proposals WHERE ${condition} ORDER BY id LIMIT ?4`,
          status ?? null,
          after,
          within ?? null,
          limit,
        ),
      );
      return toListPage(items, {
        total: yield* count(0),
        remaining: yield* count(items.at(-1)?.id ?? after),
        keyOf: ({ id }) => String(id),
      });
    },
    *latestBy(actor, { shelf, limit, within }) {
      return yield* readRows(
        yield* all<ProposalRow>(
          `SELECT * FROM proposals WHERE actor = ?1 AND shelf = ?2 AND ${projectWithinSql("?3")}
            ORDER BY id DESC LIMIT ?4`,
          JSON.stringify(actor),
          shelf,
          within ?? null,
          limit,
        ),
      );
    },
    *find(id) {
      return yield* readRow(yield* get<ProposalRow>("SELECT * FROM proposals WHERE id = ?", id));
    },
    *findPending(operation, input) {
      const row = yield* get<ProposalRow>(
        `SELECT * FROM proposals
          WHERE status = 'pending' AND operation = ? AND input = ? ORDER BY id LIMIT 1`,
        operation,
        JSON.stringify(input),
      );
      return yield* readRow(row);
    },
    onRecorded: recordAccepted,
    onRetracted: reopenRetracted,
    onUndone: reopenUndone,
    reopen: (id, call, changes) =>
      transaction(function* () {
        const { status, summary, project } = yield* getExisting(id);
        if (!(yield* reopenRefused(id))) throw alreadyDecided(id, status);
        yield* changes.record({
          call,
          operation: reopenOperationName,
          summary: `Reopened proposal ${id}: ${summary}`,
          undo: { operation: rejectOperationName, input: { id } },
          ...(project && { project }),
        });
        call.announce({ topic: "proposals.changed", about: String(id) });
        return yield* getExisting(id);
      }),
    async decide(decision, call, means) {
      const { id } = decision;
      assertPending(await means.store.run(getExisting(id)));
      if (beingDecided.has(id)) throw alreadyDecided(id, "being decided");
      beingDecided.add(id);
      try {
        if (decision.decision === "accept") await accept(decision, call, means);
        else await means.store.run(rejectOrWithdraw(decision, call, means.changes));
      } finally {
        beingDecided.delete(id);
      }
      return await means.store.run(getExisting(id));
    },
  };
  return proposals;

  async function accept(
    decision: ProposalDecision,
    call: Call,
    { performByName, changes, store }: Deciding,
  ): Promise<void> {
    const { id, reason, input: edited } = decision;
    const { operation, input, summary, project } = await store.run(getExisting(id));
    const isEdited = edited !== undefined && JSON.stringify(edited) !== JSON.stringify(input);
    const accepting = {
      ...call,
      accepting: { proposal: id, isEdited, reason, input: edited },
      ...(project && { project: project.root }),
    };
    const result = await performByName(operation, edited ?? input, accepting);
    if (!result.ok) throw result.failure ?? requiresAnswer(operation);
    const value = JSON.stringify(result.value);
    await store.run(
      transaction(function* () {
        if ((yield* getExisting(id)).status === "pending") {
          // Every approval is logged, even if the operation recorded no change.
          yield* changes.record({
            call,
            approval: approvalOf(accepting),
            operation,
            summary: `Accepted proposal ${id}: ${summary}`,
            ...(project && { project }),
          });
          yield* recordDecision(id, "accepted", decision, call);
        }
        yield* runChecksummed(
          "proposals",
          "UPDATE proposals SET result = ? WHERE id = ?",
          value,
          id,
        );
      }),
    );
  }

  /** The first change of the accepting call settles the proposal, in the same transaction. */
  function* recordAccepted(change: Change, call: Call): Steps<void> {
    if (!call.accepting) return;
    const { proposal: id, ...decision } = call.accepting;
    const { change: settlingChange } = yield* getExisting(id);
    const isSettled =
      settlingChange !== undefined &&
      (yield* get("SELECT 1 FROM changes WHERE id = ? AND call = ?", settlingChange, call.id)) !==
        undefined;
    if (!isSettled)
      yield* recordDecision(
        id,
        "accepted",
        { id, decision: "accept", ...decision },
        call,
        change.id,
      );
  }

  function* rejectOrWithdraw(
    decision: ProposalDecision,
    call: Call,
    changes: ChangeLog,
  ): Steps<void> {
    const { id } = decision;
    const { summary, project } = yield* getExisting(id);
    const isRejected = decision.decision === "reject";
    yield* transaction(function* () {
      const change = yield* changes.record({
        call,
        operation: rejectOperationName,
        summary: `${isRejected ? "Rejected" : "Withdrew"} proposal ${id}: ${summary}`,
        undo: { operation: reopenOperationName, input: { id } },
        ...(project && { project }),
      });
      yield* recordDecision(id, isRejected ? "rejected" : "withdrawn", decision, call, change.id);
    });
  }

  /** If two decisions race, the second finds the proposal decided and its work is rolled back. */
  function* recordDecision(
    id: number,
    status: ProposalStatus,
    decision: ProposalDecision,
    call: Call,
    change?: number,
  ): Steps<void> {
    const decided = yield* runChecksummed(
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
    if (decided.length === 0) assertPending(yield* getExisting(id));
    call.announce({ topic: "proposals.changed", about: String(id) });
  }

  function* getExisting(id: number): Steps<Proposal> {
    const proposal = yield* proposals.find(id);
    if (!proposal) throw notFound(`Proposal not found: ${id}`, ["`proposals` lists them."]);
    return proposal;
  }
}

function assertPending({ id, status }: Proposal): void {
  if (status !== "pending") throw alreadyDecided(id, status);
}

const alreadyDecided = (id: number, status: string): Failure =>
  new Failure("conflict", "already-decided", `Proposal ${id} is already ${status}.`);
