import { visible } from "../../text/visible.ts";
import type { SearchHit } from "./hits.ts";

/** What made a hit's score, in a line for people; nothing where nobody asked. */
export function reasonOf({ explain, lists = [], rerank }: SearchHit): string | undefined {
  if (explain === undefined) return undefined;
  const parts = [
    ...explain.map(wordReason),
    ...lists.map(({ by, query, rank }) => `number ${rank} by ${by} for "${query}"`),
    ...(rerank === undefined ? [] : [`re-ranked ${rerank}`]),
  ];
  return parts.length === 0 ? undefined : visible(`why: ${parts.join("; ")}`);
}

/** `lamp (weight 0.6, strength 0.9; title 1, body 3)` */
function wordReason({ word, read, weight, strength, found }: Word): string {
  const named = read ? `${word} read as ${read.join(", ")}` : word;
  const places = Object.entries(found).filter(([, times]) => times > 0);
  if (places.length === 0) return `${named} (weight ${weight}, not found)`;
  const where = places.map(([field, times]) => `${field} ${times}`).join(", ");
  return `${named} (weight ${weight}, strength ${strength}; ${where})`;
}

type Word = NonNullable<SearchHit["explain"]>[number];
