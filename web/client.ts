import type * as z from "zod";
import type { listActivity, undoChange } from "../src/shelves/desk/operations/activity.ts";
import type {
  acceptProposal,
  listProposals,
  rejectProposal,
} from "../src/shelves/desk/operations/proposals.ts";
import type { get } from "../src/shelves/search/operations/retrieval.ts";
import type { search } from "../src/shelves/search/operations/searching.ts";
import type { status } from "../src/shelves/search/operations/status.ts";

/** The operations that the page calls. Their types are the definitions' own. */
interface Operations {
  accept_proposal: typeof acceptProposal;
  activity: typeof listActivity;
  get: typeof get;
  proposals: typeof listProposals;
  reject_proposal: typeof rejectProposal;
  search: typeof search;
  status: typeof status;
  undo_change: typeof undoChange;
}

type Name = keyof Operations;
export type Input<N extends Name> = z.input<Operations[N]["input"]>;
export type Output<N extends Name> = z.output<Operations[N]["output"]>;

/** Calls an operation by its name and the keys that its schema declares, in a person's name. */
export async function call<N extends Name>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  let response = await send(name, input, signal);
  if (response.status === 403 && (await isWelcomeAgain()))
    response = await send(name, input, signal);
  // Every answer of this server is an object, and `data` has passed the operation's own schema.
  const answer = (await response.json()) as { data: Output<N>; detail?: string };
  if (!response.ok) throw new Error(answer.detail ?? "The server refused.");
  return answer.data;
}

const send = (name: string, input: object, signal: AbortSignal | undefined): Promise<Response> =>
  fetch(`/page/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ arguments: input }),
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new Error("The server does not answer. Is it still running?");
  });

/** A server that was started anew has another credential, and gives it with the page. */
const isWelcomeAgain = async (): Promise<boolean> =>
  (await fetch("/", { headers: { accept: "text/html" } })).ok;
