import { invalid } from "../../../kernel/failure.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { type AgreementSegment, splitByMarks } from "../../../text/spans/coder-agreement.ts";
import { compareText } from "../../../text/strings/compare-text.ts";
import { agentNamesAmong } from "../project/coder.ts";
import { allListedAgents } from "../qda/storage-coders.ts";
import type { CodeRow } from "../qda/storage-codes.ts";
import { projectRow } from "../qda/storage-project.ts";
import { readSourceText, type SourceText } from "../sources/source.ts";
import { codedRangeOf } from "./frequencies.ts";
import {
  type CodingSelection,
  type ReportCoding,
  type ReportFilters,
  selectCodes,
  selectCodings,
} from "./selection.ts";

/** Compares each coder with each other, or all people with all agents. */
export type ComparisonMode = "coders" | "human_agent";

interface Side {
  name: string;
  codings: ReportCoding[];
}

/** The coders and texts that can be compared, and each coder's codings. */
export interface Comparison {
  sides: string[];
  codes: CodeRow[];
  sources: { id: number; name: string; text: SourceText }[];
  /** Whether any side used the code in the source. Usually none did. */
  isMarked(source: number, code: number): boolean;
  /** Splits a text into segments by which sides gave them the code. */
  pieces(source: number, code: number): AgreementSegment[];
  notes: string[];
}

/**
 * A coder without any coding in a source may not have seen it, so the source is left out for this
 * coder unless sources are named. A coder who has coded the source without using a code has judged
 * that the code does not apply; so filters on codes do not affect who is compared where.
 */
export function compareCoders(
  db: Database,
  { coders = [], source_ids = [], ...filters }: ReportFilters,
  against: ComparisonMode,
): Comparison {
  const selection = selectCodings(db, { coders, source_ids });
  const codings = selection.codings.filter(({ kind }) => kind === "text");
  const sides =
    against === "coders" ? coderSides(codings, coders) : humanAndAgentSides(selection, codings);
  const isComparable = sides.length > 1;
  const coded = sides.map((side) => new Set(side.codings.map(({ source }) => source)));
  const isEverySides = (source: number) => coded.every((own) => own.has(source));
  const sources = selection.sources
    .filter(({ id }) => isComparable && (source_ids.length > 0 || isEverySides(id)))
    .map((source) => ({ ...source, text: readSourceText(db, source.id) }));
  const within = new Set(sources.map(({ id }) => id));
  const used = new Set(codings.filter(({ source }) => within.has(source)).map(({ code }) => code));
  const lengths = new Map(sources.map(({ id, text }) => [id, text.length]));
  const marks = sides.map((side) => groupBy(side.codings, sourceCodeKey));
  const marked = new Set(marks.flatMap((own) => [...own.keys()]));
  return {
    sides: sides.map(({ name }) => name),
    codes: selectCodes(db, filters).filter(({ id }) => used.has(id)),
    sources,
    isMarked: (source, code) => marked.has(sourceCodeKey({ source, code })),
    pieces(source, code) {
      const own = marks.map((codings) => codings.get(sourceCodeKey({ source, code })) ?? []);
      return splitByMarks(
        own.map((codings) => codings.map(codedRangeOf)),
        lengths.get(source) ?? 0,
      );
    },
    notes: [
      ...(isComparable ? [] : [explainNoComparison(against)]),
      ...(isComparable && sources.length < selection.sources.length
        ? [
            `Compared in ${sources.length} of ${selection.sources.length} sources: those that all sides have coded. Use source_ids to compare others.`,
          ]
        : []),
      "Counted in characters of texts; pictures and recordings are not compared.",
    ],
  };
}

const sourceCodeKey = ({ source, code }: Pick<ReportCoding, "source" | "code">): string =>
  `${source} ${code}`;

/** The named coders, or everyone who has coded. */
function coderSides(codings: readonly ReportCoding[], wantedNames: readonly string[]): Side[] {
  const byCoder = groupBy(codings, ({ coder }) => coder);
  const names = new Set(wantedNames.length > 0 ? wantedNames : byCoder.keys());
  return [...names].sort(compareText).map((name) => ({ name, codings: byCoder.get(name) ?? [] }));
}

function humanAndAgentSides({ db }: CodingSelection, codings: readonly ReportCoding[]): Side[] {
  const names = agentNamesAmong(allListedAgents(db), projectRow(db)?.codername);
  const [people, agents]: [ReportCoding[], ReportCoding[]] = [[], []];
  for (const coding of codings) (names.has(coding.coder) ? agents : people).push(coding);
  return [
    { name: "people", codings: people },
    { name: "agents", codings: agents },
  ].filter((side) => side.codings.length > 0);
}

const explainNoComparison = (against: ComparisonMode): string =>
  against === "coders"
    ? "Fewer than two coders have coded a text here."
    : "Both people and agents must have coded a text here.";

/** Rejects filters that leave out codings of a text: coders are compared on the whole text. */
export function assertComparableFilters(filters: ReportFilters): void {
  for (const name of ["case_ids", "where", "text", "important"] as const) {
    if (filters[name] === undefined || filters[name] === false) continue;
    throw invalid(`Invalid parameter '${name}': coders are compared on whole texts.`, [
      "Narrow by code_ids, category_id, source_ids or coders.",
    ]);
  }
}
