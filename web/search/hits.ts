import { computed } from "@preact/signals";
import { readQuery, wantedTokens } from "../../src/text/query.ts";
import { type Address, address } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { type NumberedLine, numberedLines } from "../numbered-lines.ts";
import { runsOf } from "./marks.ts";

export type Hit = Output<"search">["results"][number];

/** More than anybody looks through; a longer list asks for a better query. */
export const mostHits = 50;

const query = computed(() => address.value.query.trim());
const collection = computed(() => address.value.collection);

/** What is looked for, in the forms by which texts are marked. */
export const wanted = computed(() => wantedTokens(readQuery(query.value)));

/** The hits, with the query that they answer. */
export const hits = asking((signal) => {
  const asked = query.value;
  if (asked === "") return undefined;
  const where = collection.value ? { collection: collection.value } : {};
  return call("search", { query: asked, limit: mostHits, ...where }, signal).then(
    ({ results }) => ({ query: asked, results }),
  );
});

export const passageOf = (hit: Hit): NumberedLine[] => numberedLines(hit.snippet);

/** Where a hit opens: at the line of its passage that holds most of the words. */
export function placeOf(hit: Hit): Pick<Address, "file" | "line"> {
  const lines = passageOf(hit).map(({ number, text }) => ({
    number,
    marks: runsOf(text, wanted.value).filter(({ isMarked }) => isMarked).length,
  }));
  const best = lines.reduce((a, b) => (b.marks > a.marks ? b : a), { number: 1, marks: -1 });
  return { file: hit.file, line: best.number };
}
