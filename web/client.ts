import type * as z from "zod";
import type { get } from "../src/shelves/search/operations/retrieval.ts";
import type { search } from "../src/shelves/search/operations/searching.ts";
import type { status } from "../src/shelves/search/operations/status.ts";

/** The operations that the page calls. Their types are the definitions' own. */
interface Operations {
  get: typeof get;
  search: typeof search;
  status: typeof status;
}

type Name = keyof Operations;
export type Input<N extends Name> = z.input<Operations[N]["input"]>;
export type Output<N extends Name> = z.output<Operations[N]["output"]>;

/** Calls an operation as an agent would, under the keys that its schema declares. */
export async function call<N extends Name>(
  name: N,
  input: Input<N>,
  signal: AbortSignal,
): Promise<Output<N>> {
  const response = await fetch(`/tools/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ arguments: input }),
    signal,
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new Error("The server does not answer. Is it still running?");
  });
  // Every answer of this server is an object, and `data` has passed the operation's own schema.
  const answer = (await response.json()) as { data: Output<N>; error?: string; detail?: string };
  if (!response.ok) throw new Error(answer.error ?? answer.detail ?? "The server refused.");
  return answer.data;
}
