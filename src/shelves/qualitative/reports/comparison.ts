import type { Database } from "../../../kernel/database.ts";
import { invalid } from "../../../kernel/failure.ts";
import { type Piece, piecesOf } from "../../../text/agreement.ts";
import { byLetters } from "../../../text/by-letters.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { agentNames } from "../coder.ts";
import { listedAgents } from "../qda/storage-coders.ts";
import type { CodeRow } from "../qda/storage-codes.ts";
import { projectRow } from "../qda/storage-project.ts";
import { readText, type SourceText } from "../source.ts";
import { stretchOf } from "./frequencies.ts";
import {
  type Coding,
  chosenCodes,
  type Filters,
  type Selection,
  selectionOf,
} from "./selection.ts";

/** Who is set against whom: each coder against each, or all people against all agents. */
export type Compared = "coders" | "human_agent";

interface Side {
  name: string;
  codings: Coding[];
}

/** Coders and texts that can be compared, and what each coder marked there. */
export interface Comparison {
  sides: string[];
  codes: CodeRow[];
  sources: { id: number; name: string; text: SourceText }[];
  /** Whether any of the sides gave a code in a source; mostly nobody did. */
  isMarked(source: number, code: number): boolean;
  /** A text in pieces, by who of the sides gave it a code. */
  pieces(source: number, code: number): Piece[];
  notes: string[];
}

/**
 * Who has coded nothing in a source may not have been given it, so nothing can be said about their
 * judgement there: it is left out, unless sources were named. Who has coded there and not used a
 * code has judged that it does not apply; so filters of codes have no say in who is compared where.
 */
export function comparisonOf(
  db: Database,
  { coders = [], source_ids = [], ...filters }: Filters,
  against: Compared,
): Comparison {
  const selection = selectionOf(db, { coders, source_ids });
  const codings = selection.codings.filter(({ kind }) => kind === "text");
  const sides =
    against === "coders" ? sidesOf(codings, coders) : peopleAndAgents(selection, codings);
  const isComparable = sides.length > 1;
  const coded = sides.map((side) => new Set(side.codings.map(({ source }) => source)));
  const isEverySides = (source: number) => coded.every((own) => own.has(source));
  const sources = selection.sources
    .filter(({ id }) => isComparable && (source_ids.length > 0 || isEverySides(id)))
    .map((source) => ({ ...source, text: readText(db, source.id) }));
  const within = new Set(sources.map(({ id }) => id));
  const used = new Set(codings.filter(({ source }) => within.has(source)).map(({ code }) => code));
  const lengths = new Map(sources.map(({ id, text }) => [id, text.length]));
  const marks = sides.map((side) => groupedBy(side.codings, keyOf));
  const marked = new Set(marks.flatMap((own) => [...own.keys()]));
  return {
    sides: sides.map(({ name }) => name),
    codes: chosenCodes(db, filters).filter(({ id }) => used.has(id)),
    sources,
    isMarked: (source, code) => marked.has(keyOf({ source, code })),
    pieces(source, code) {
      const own = marks.map((codings) => codings.get(keyOf({ source, code })) ?? []);
      return piecesOf(
        own.map((codings) => codings.map(stretchOf)),
        lengths.get(source) ?? 0,
      );
    },
    notes: [
      ...(isComparable ? [] : [whyNot(against)]),
      ...(isComparable && sources.length < selection.sources.length
        ? [
            `Compared in ${sources.length} of ${selection.sources.length} sources: those that all sides have coded. Name sources to compare others.`,
          ]
        : []),
      "Counted in characters of texts; pictures and recordings are not compared.",
    ],
  };
}

const keyOf = ({ source, code }: Pick<Coding, "source" | "code">): string => `${source} ${code}`;

/** Those who were named, and otherwise everybody who has coded. */
function sidesOf(codings: readonly Coding[], named: readonly string[]): Side[] {
  const byCoder = groupedBy(codings, ({ coder }) => coder);
  const names = new Set(named.length > 0 ? named : byCoder.keys());
  return [...names].sort(byLetters).map((name) => ({ name, codings: byCoder.get(name) ?? [] }));
}

function peopleAndAgents({ db }: Selection, codings: readonly Coding[]): Side[] {
  const names = agentNames(listedAgents(db), projectRow(db)?.codername);
  const [people, agents]: [Coding[], Coding[]] = [[], []];
  for (const coding of codings) (names.has(coding.coder) ? agents : people).push(coding);
  return [
    { name: "people", codings: people },
    { name: "agents", codings: agents },
  ].filter((side) => side.codings.length > 0);
}

const whyNot = (against: Compared): string =>
  against === "coders"
    ? "Fewer than two coders have coded a text here."
    : "Only people or only agents have coded a text here.";

/** What would leave out codings of a text makes no sense where coders are compared on all of it. */
export function refuseNarrowing(given: Filters): void {
  for (const name of ["case_ids", "where", "text", "important"] as const) {
    if (given[name] === undefined || given[name] === false) continue;
    throw invalid(`Invalid parameter '${name}': coders are compared on whole texts.`, [
      "Narrow by code_ids, category_id, source_ids or coders.",
    ]);
  }
}
