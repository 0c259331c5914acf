import { groupBy } from "../../../text/arrays/group-by.ts";
import { markedLength, type UnitRange } from "../../../text/spans/coder-agreement.ts";
import { codedRangeOf } from "./frequencies.ts";
import { nameLookupsOf } from "./name-lookups.ts";
import { namedColumns, type Report, type Table, titledColumns } from "./report.ts";
import type { CodingSelection, ReportCoding } from "./selection.ts";

interface CodePair {
  codes: readonly [number, number];
  /** Pairs of passages that share at least one character. */
  overlapping: number;
  /** Those of them with equal ranges. */
  exact: number;
  /** Pairs where one passage begins exactly where the other ends. */
  touching: number;
  sources: Set<number>;
  shared: Map<number, UnitRange[]>;
}

/** Which codes overlap or touch in texts and recordings. */
export function cooccurrence(selection: CodingSelection): Report {
  const pairs = codePairsIn(selection.codings).sort(
    (a, b) => b.overlapping - a.overlapping || b.touching - a.touching,
  );
  const { code } = nameLookupsOf(selection);
  const pairTable: Table = {
    title: "Pairs of codes",
    columns: titledColumns({
      code_a_id: "Code id",
      code_a_name: "Code",
      code_b_id: "Other code id",
      code_b_name: "Other code",
      count: "Overlapping",
      exact: "Equal ranges",
      touching: "Only touching",
      sources: "Sources",
      characters: "Shared characters",
    }),
    rows: pairs.map(({ codes: [a, b], overlapping, exact, touching, sources, shared }) => [
      a,
      code(a),
      b,
      code(b),
      overlapping,
      exact,
      touching,
      sources.size,
      [...shared.values()].reduce((sum, stretches) => sum + markedLength(stretches), 0),
    ]),
  };
  return {
    title: "Co-occurrence of codes",
    notes: [
      "A passage coded the same way by several coders counts once. Codings of pictures are left out.",
    ],
    tables: [pairTable, pairMatrix(selection, pairs)],
  };
}

/** A matrix of the codes that co-occur with another code. */
function pairMatrix({ codes }: CodingSelection, pairs: readonly CodePair[]): Table {
  const paired = new Set(pairs.flatMap(({ codes: pair }) => pair));
  const pairedCodes = codes.filter(({ id }) => paired.has(id));
  const counts = new Map(
    pairs.flatMap(({ codes: [a, b], overlapping }) => [
      [`${a} ${b}`, overlapping],
      [`${b} ${a}`, overlapping],
    ]),
  );
  return {
    title: "Matrix",
    columns: [
      ...titledColumns({ code_name: "Code" }),
      ...namedColumns(
        "code",
        pairedCodes.map(({ name }) => name),
      ),
    ],
    rows: pairedCodes.map(({ id, name }) => [
      name,
      ...pairedCodes.map((other) =>
        other.id === id ? null : (counts.get(`${id} ${other.id}`) ?? 0),
      ),
    ]),
  };
}

/** Counts each pair of passages with different codes once, in one pass over each source. */
function codePairsIn(codings: readonly ReportCoding[]): CodePair[] {
  const pairs = new Map<string, CodePair>();
  const ranged = codings.filter(({ kind }) => kind !== "image");
  for (const [, own] of groupBy(ranged, ({ source, kind }) => `${kind} ${source}`)) {
    const ordered = distinctPassages(own).sort((a, b) => a.start - b.start || a.end - b.end);
    let open: Passage[] = [];
    for (const passage of ordered) {
      open = open.filter(({ end }) => end >= passage.start);
      for (const other of open) if (other.code !== passage.code) recordPair(pairs, other, passage);
      open.push(passage);
    }
  }
  return [...pairs.values()];
}

interface Passage extends UnitRange {
  code: number;
  source: number;
  isText: boolean;
}

function distinctPassages(codings: readonly ReportCoding[]): Passage[] {
  const passages = new Map<string, Passage>();
  for (const coding of codings) {
    const { code, source, kind } = coding;
    const { start, end } = codedRangeOf(coding);
    passages.set(`${code} ${start} ${end}`, { code, source, start, end, isText: kind === "text" });
  }
  return [...passages.values()];
}

function recordPair(pairs: Map<string, CodePair>, first: Passage, second: Passage): void {
  const [a, b] = [Math.min(first.code, second.code), Math.max(first.code, second.code)];
  const pair = pairs.get(`${a} ${b}`) ?? {
    codes: [a, b],
    overlapping: 0,
    exact: 0,
    touching: 0,
    sources: new Set(),
    shared: new Map(),
  };
  pairs.set(`${a} ${b}`, pair);
  const common = { start: second.start, end: Math.min(first.end, second.end) };
  pair.sources.add(first.source);
  if (common.start >= common.end) {
    pair.touching++;
    return;
  }
  pair.overlapping++;
  if (first.start === second.start && first.end === second.end) pair.exact++;
  if (first.isText) {
    const shared = pair.shared.get(first.source) ?? [];
    pair.shared.set(first.source, shared);
    shared.push(common);
  }
}
