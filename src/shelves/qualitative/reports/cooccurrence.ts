import { lengthOf, type Stretch } from "../../../text/agreement.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { stretchOf } from "./frequencies.ts";
import { namesIn } from "./names.ts";
import { columnsFor, columnsOf, type Report, type Table } from "./report.ts";
import type { Coding, Selection } from "./selection.ts";

/** What two codes have in common. */
interface Meeting {
  codes: readonly [number, number];
  /** Pairs of passages that share at least one character. */
  overlapping: number;
  /** Of these, pairs that begin and end alike. */
  exact: number;
  /** Pairs where one begins just where the other ends. */
  touching: number;
  sources: Set<number>;
  shared: Map<number, Stretch[]>;
}

/** Which codes meet in the same passages of texts and recordings. */
export function cooccurrence(selection: Selection): Report {
  const meetings = meetingsIn(selection.codings).sort(
    (a, b) => b.overlapping - a.overlapping || b.touching - a.touching,
  );
  const { code } = namesIn(selection);
  const pairs: Table = {
    title: "Pairs of codes",
    columns: columnsOf({
      code_a_id: "Code id",
      code_a_name: "Code",
      code_b_id: "Other code id",
      code_b_name: "Other code",
      count: "Overlapping",
      exact: "Exactly alike",
      touching: "Only touching",
      sources: "Sources",
      characters: "Shared characters",
    }),
    rows: meetings.map(({ codes: [a, b], overlapping, exact, touching, sources, shared }) => [
      a,
      code(a),
      b,
      code(b),
      overlapping,
      exact,
      touching,
      sources.size,
      [...shared.values()].reduce((sum, stretches) => sum + lengthOf(stretches), 0),
    ]),
  };
  return {
    title: "Co-occurrence of codes",
    notes: [
      "A passage that several coders coded alike counts once. Codings on pictures are left out.",
    ],
    tables: [pairs, matrixOf(selection, meetings)],
  };
}

/** Codes against codes; only those that meet another. */
function matrixOf({ codes }: Selection, meetings: readonly Meeting[]): Table {
  const paired = new Set(meetings.flatMap(({ codes: pair }) => pair));
  const met = codes.filter(({ id }) => paired.has(id));
  const counts = new Map(
    meetings.flatMap(({ codes: [a, b], overlapping }) => [
      [`${a} ${b}`, overlapping],
      [`${b} ${a}`, overlapping],
    ]),
  );
  return {
    title: "Matrix",
    columns: [
      ...columnsOf({ code_name: "Code" }),
      ...columnsFor(
        "code",
        met.map(({ name }) => name),
      ),
    ],
    rows: met.map(({ id, name }) => [
      name,
      ...met.map((other) => (other.id === id ? null : (counts.get(`${id} ${other.id}`) ?? 0))),
    ]),
  };
}

/** Each pair of passages of different codes is met once, on a walk through each source. */
function meetingsIn(codings: readonly Coding[]): Meeting[] {
  const meetings = new Map<string, Meeting>();
  const ranged = codings.filter(({ kind }) => kind !== "image");
  for (const [, own] of groupedBy(ranged, ({ source, kind }) => `${kind} ${source}`)) {
    const ordered = distinct(own).sort((a, b) => a.start - b.start || a.end - b.end);
    let open: Passage[] = [];
    for (const passage of ordered) {
      open = open.filter(({ end }) => end >= passage.start);
      for (const other of open) if (other.code !== passage.code) note(meetings, other, passage);
      open.push(passage);
    }
  }
  return [...meetings.values()];
}

interface Passage extends Stretch {
  code: number;
  source: number;
  isText: boolean;
}

function distinct(codings: readonly Coding[]): Passage[] {
  const passages = new Map<string, Passage>();
  for (const coding of codings) {
    const { code, source, kind } = coding;
    const { start, end } = stretchOf(coding);
    passages.set(`${code} ${start} ${end}`, { code, source, start, end, isText: kind === "text" });
  }
  return [...passages.values()];
}

function note(meetings: Map<string, Meeting>, one: Passage, other: Passage): void {
  const [a, b] = [Math.min(one.code, other.code), Math.max(one.code, other.code)];
  const meeting = meetings.get(`${a} ${b}`) ?? {
    codes: [a, b],
    overlapping: 0,
    exact: 0,
    touching: 0,
    sources: new Set(),
    shared: new Map(),
  };
  meetings.set(`${a} ${b}`, meeting);
  const common = { start: other.start, end: Math.min(one.end, other.end) };
  meeting.sources.add(one.source);
  if (common.start >= common.end) {
    meeting.touching++;
    return;
  }
  meeting.overlapping++;
  if (one.start === other.start && one.end === other.end) meeting.exact++;
  if (one.isText) {
    const shared = meeting.shared.get(one.source) ?? [];
    meeting.shared.set(one.source, shared);
    shared.push(common);
  }
}
