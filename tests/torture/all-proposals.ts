import type { HttpClient } from "./http-client.ts";

export interface ProposalRecord {
  id: number;
  operation: string;
  status: string;
  input: Record<string, unknown>;
}

/** All proposals ever made, with any status. */
export async function listAllProposals({ callAsPerson }: HttpClient): Promise<ProposalRecord[]> {
  const all: ProposalRecord[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ status: "all", limit: "200", ...(cursor && { cursor }) });
    const page = await callAsPerson<{ proposals: ProposalRecord[]; next_cursor?: string }>(
      "GET",
      `/proposals?${query}`,
    );
    all.push(...page.proposals);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return all;
}
