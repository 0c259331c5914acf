/** What stands behind this mark in a memo is the researcher's own, and reaches no agent. */
const mark = "#####";

/** The part of a memo that others may read. */
export function sharedMemo(memo: string | null): string | null {
  if (memo === null) return null;
  const place = memo.indexOf(mark);
  return place < 0 ? memo : memo.slice(0, place).trimEnd();
}

/** A memo with another shared part; what is private stays. */
export function rewrittenMemo(memo: string | null, shared: string): string {
  const place = memo?.indexOf(mark) ?? -1;
  if (memo === null || place < 0) return shared;
  return `${shared}${shared === "" ? "" : "\n"}${memo.slice(place)}`;
}
