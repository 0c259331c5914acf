import { toPrintable } from "../../../text/strings/printable.ts";
import type { SearchHit } from "./search-hits.ts";

/** The explanation of a hit's score as text; undefined if it was not requested. */
export function explainScore({ explain, lists = [], rerank }: SearchHit): string | undefined {
  if (explain === undefined) return undefined;
  const parts = [
    ...explain.map(explainWord),
    ...lists.map(({ by, query, rank }) => `rank ${rank} by ${by} for "${query}"`),
    ...(rerank === undefined ? [] : [`re-ranked ${rerank}`]),
  ];
  return parts.length === 0 ? undefined : toPrintable(`score: ${parts.join("; ")}`);
}

/** `lamp (weight 0.6, strength 0.9; title 1, body 3)` */
function explainWord({
  word,
  read,
  rare,
  minor,
  weight,
  strength,
  found,
}: WordExplanation): string {
  const link = rare ? "or" : "corrected to";
  const label = read ? `${word} ${link} ${read.join(", ")}` : word;
  const fields = Object.entries(found).filter(([, times]) => (times ?? 0) > 0);
  const missing = minor ? "not in a title" : "not found";
  if (fields.length === 0) return `${label} (weight ${weight}, ${missing})`;
  const counts = fields.map(([field, times]) => `${field} ${times}`).join(", ");
  return `${label} (weight ${weight}, strength ${strength}; ${counts})`;
}

type WordExplanation = NonNullable<SearchHit["explain"]>[number];
