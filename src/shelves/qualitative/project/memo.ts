/** The text after this mark in a memo is private to the researcher; no agent sees it. */
const privateMark = "#####";

/** The part of a memo before the mark, which agents may read. */
export function sharedMemo(memo: string | null): string | null {
  if (memo === null) return null;
  const markIndex = memo.indexOf(privateMark);
  return markIndex < 0 ? memo : memo.slice(0, markIndex).trimEnd();
}

/** Joins two memos: first both shared parts, then both private parts. */
export function joinMemos(firstMemo: string | null, secondMemo: string | null): string {
  const [first, second] = [firstMemo ?? "", secondMemo ?? ""];
  if (first === second || second === "") return first;
  if (first === "") return second;
  const shared = [first, second].map((memo) => sharedMemo(memo) ?? "").filter(Boolean);
  const privateParts = [first, second].map(privatePart).filter(Boolean);
  return [...shared, ...privateParts].join("\n");
}

function privatePart(memo: string): string {
  const markIndex = memo.indexOf(privateMark);
  return markIndex < 0 ? "" : memo.slice(markIndex);
}

/** Replaces the shared part of a memo and keeps its private part. */
export function replaceSharedMemo(memo: string | null, shared: string): string {
  const markIndex = memo?.indexOf(privateMark) ?? -1;
  if (memo === null || markIndex < 0) return shared;
  return `${shared}${shared === "" ? "" : "\n"}${memo.slice(markIndex)}`;
}
