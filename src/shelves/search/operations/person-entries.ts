import * as z from "zod";
import { digestOf } from "../../../kernel/approval/agent-entries.ts";
import { requiresAnswer } from "../../../kernel/approval/change-log.ts";
import type { ProjectRef } from "../../../kernel/approval/project-ref.ts";
import type { Call } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import type { SearchState } from "../state.ts";

const operation = operationsFor<SearchState>();

/** The output fields of operations that may have to wait for a person's approval. */
export const pendingShape = {
  proposalId: z
    .int()
    .optional()
    .describe("Set if the change was not made: a person must accept this proposal first"),
  message: z.string().optional(),
};

/** The operations on an entry that an agent may have to propose. */
const entryOperations = [
  "remove_collection",
  "rename_collection",
  "set_collection",
  "add_context",
  "remove_context",
] as const;

interface EntryProposal {
  /** The operation to run if the proposal is accepted. */
  operation: (typeof entryOperations)[number];
  input: Record<string, unknown>;
  /** The collection or context that the operation changes. */
  entry: { kind: "collection" | "context"; name: string };
  summary: string;
  preview?: string;
  project?: ProjectRef;
}

const acceptedOperationName = "change_entry_as_proposed";

/**
 * Proposes a change of a collection or context that a person created.
 */
export function* proposeEntryChange(
  state: SearchState,
  { operation: name, input: given, entry, ...details }: EntryProposal,
  call: Call,
) {
  const digest = digestOf(currentEntry(state, entry));
  const input = { operation: name, input: given, entry, digest };
  const draft = { shelf: "search", operation: acceptedOperationName, input, ...details };
  const { id } = yield* state.proposals.proposeOnce(draft, call);
  const message = `Not changed yet: a person created this ${entry.kind} and must accept proposal ${id} first.`;
  return { status: "pending_approval" as const, proposalId: id, message };
}

/** Run when a proposal is accepted; not exposed. Fails if the entry has changed since the proposal. */
const changeEntry = operation({
  name: acceptedOperationName,
  title: "Change a collection or context as proposed",
  summary: "Apply a proposed change if the entry has not changed since.",
  input: z.object({
    operation: z.enum(entryOperations),
    input: z.record(z.string(), z.unknown()),
    entry: z.object({ kind: z.enum(["collection", "context"]), name: z.string() }),
    digest: z.string(),
  }),
  output: z.looseObject({}),
  effect: "writes",
  expose: {},
  example: {
    operation: "remove_context",
    input: { path: "notes" },
    entry: { kind: "context", name: "notes" },
    // Computed when it is read, because hashing loads a module that few commands need.
    get digest() {
      return digestOf("Meetings");
    },
  },
  async run({ operation: name, input, entry, digest }, state, call) {
    if (digestOf(currentEntry(state, entry)) !== digest) throw entryChanged(entry.kind);
    const outcome = await state.performByName(name, input, call);
    if (!outcome.ok) throw outcome.failure ?? requiresAnswer(name);
    return outcome.value;
  },
});

export const personEntryOperations = [changeEntry];

const currentEntry = ({ config }: SearchState, { kind, name }: EntryProposal["entry"]): unknown =>
  config.read()[kind === "collection" ? "collections" : "contexts"][name];

const entryChanged = (kind: string): Failure =>
  new Failure("conflict", "changed", `This ${kind} has changed since the proposal was made.`, {
    hints: ["Nothing was changed. Reject the proposal, or make the change yourself."],
  });
