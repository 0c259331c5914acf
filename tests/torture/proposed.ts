import type { Visitor } from "./visitor.ts";

export interface Proposed {
  id: number;
  operation: string;
  status: string;
  input: Record<string, unknown>;
}

/** All that was ever proposed, whatever became of it. */
export async function everyProposal({ asPerson }: Visitor): Promise<Proposed[]> {
  const all: Proposed[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ status: "all", limit: "200", ...(cursor && { cursor }) });
    const page = await asPerson<{ proposals: Proposed[]; next_cursor?: string }>(
      "GET",
      `/proposals?${query}`,
    );
    all.push(...page.proposals);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return all;
}
