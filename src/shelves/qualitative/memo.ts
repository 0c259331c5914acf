/** What stands behind this mark in a memo is the researcher's own, and reaches no agent. */
const mark = "#####";

/** The part of a memo that others may read. */
export function sharedMemo(memo: string | null): string | null {
  if (memo === null) return null;
  const place = memo.indexOf(mark);
  return place < 0 ? memo : memo.slice(0, place).trimEnd();
}

/** Two memos in one: what both share, then what both keep private. */
export function joinedMemo(one: string | null, other: string | null): string {
  const [first, second] = [one ?? "", other ?? ""];
  if (first === second || second === "") return first;
  if (first === "") return second;
  const shared = [first, second].map((memo) => sharedMemo(memo) ?? "").filter(Boolean);
  const kept = [first, second].map(privatePart).filter(Boolean);
  return [...shared, ...kept].join("\n");
}

function privatePart(memo: string): string {
  const place = memo.indexOf(mark);
  return place < 0 ? "" : memo.slice(place);
}

/** A memo with another shared part; what is private stays. */
export function rewrittenMemo(memo: string | null, shared: string): string {
  const place = memo?.indexOf(mark) ?? -1;
  if (memo === null || place < 0) return shared;
  return `${shared}${shared === "" ? "" : "\n"}${memo.slice(place)}`;
}
