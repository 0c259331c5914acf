import { isEnglish } from "../../text/language.ts";
import { linesOf } from "../../text/lines.ts";
import { clausesOf, contentOf } from "../../text/stance.ts";
import { visible } from "../../text/visible.ts";
import type { ArchitectureDocument } from "./document.ts";
import { type DocumentIndex, plainQuery } from "./document-index.ts";
import { type DocumentSet, documentsOf } from "./document-set.ts";
import { type Evidence, evidenceIn } from "./evidence.ts";
import type { PlacedRecord } from "./record-set.ts";

/** How one recorded decision stands to a proposal. */
export interface Aligned {
  uri: string;
  title: string;
  adr_id: string;
  status: string;
  alignment: "supports" | "conflicts" | "related";
  strength: "strong" | "weak";
  reason: string;
  quote?: string;
  line?: number;
  /** The decisions that hold in its place. */
  living?: string[];
}

/** More than anybody reads, and enough that nothing near is missed. */
const mostRelated = 20;

const longestQuote = 300;

/**
 * The decisions that have to do with a proposal, those that speak against it first. Only a
 * decision that holds can speak for or against: where one was superseded, its successors are asked.
 */
export function alignedWith(
  set: DocumentSet,
  index: DocumentIndex,
  description: string,
  context: string,
): Aligned[] {
  const wanted = contentOf(description);
  const proposal = { clauses: clausesOf(linesOf(description)), isEnglish: isEnglish(description) };
  const byFile = new Map(set.records.decisions.map((record) => [record.file, record]));
  const documentOf = new Map(documentsOf(set, "adr").map((document) => [document.file, document]));
  const evidenceOf = (record: PlacedRecord): Evidence | undefined => {
    const document = documentOf.get(record.file);
    return document && evidenceIn(document, record, proposal);
  };
  /** One word is enough where the decision refuses what is proposed, or the other way round. */
  const isDecided = (record: PlacedRecord): boolean => {
    const evidence = evidenceOf(record);
    return evidence !== undefined && (evidence.isStrong || evidence.kind === "against");
  };
  const query = plainQuery(`${description} ${context}`);
  const near = index
    .find(set.all, query, documentsOf(set, "adr"))
    .flatMap(({ document }) => byFile.get(document.file) ?? [])
    .filter((record) => sharesEnough(documentOf.get(record.file), wanted) || isDecided(record));
  const heirs = near.flatMap((record) => set.records.living(record));
  const order = { conflicts: 0, supports: 1, related: 2 };
  return [...new Set([...near.slice(0, mostRelated), ...heirs])]
    .flatMap((record) => {
      const document = documentOf.get(record.file);
      if (!document) return [];
      const evidence = revived(set, record, evidenceOf) ?? evidenceOf(record);
      return [judged(set, record, document, evidence, (other) => documentOf.get(other.file))];
    })
    .sort((a, b) => order[a.alignment] - order[b.alignment])
    .slice(0, mostRelated);
}

/**
 * A proposal that says what a decision said before this one took its place speaks against this one,
 * unless this one says it as well.
 */
function revived(
  { records }: DocumentSet,
  record: PlacedRecord,
  evidenceOf: (record: PlacedRecord) => Evidence | undefined,
): Evidence | undefined {
  const own = evidenceOf(record);
  for (const { older, partial } of records.supersedes(record)) {
    const before = partial ? undefined : evidenceOf(older);
    if (before?.kind !== "for" || !before.isStrong) continue;
    if (own && (own.kind === "against" || own.shared >= before.shared)) continue;
    const { title: quote } = record;
    const inPlaceOf = visible(older.title);
    return { kind: "against", isStrong: true, shared: before.shared, line: 1, quote, inPlaceOf };
  }
  return undefined;
}

/** One word in common is chance, unless the title has it, or the proposal has few. */
function sharesEnough(document: ArchitectureDocument | undefined, wanted: ReadonlySet<string>) {
  if (!document) return false;
  if ([...contentOf(document.title)].some((stem) => wanted.has(stem))) return true;
  const held = contentOf(document.text);
  const count = [...wanted].filter((stem) => held.has(stem)).length;
  return count >= Math.min(2, wanted.size) && count > 0;
}

function judged(
  set: DocumentSet,
  record: PlacedRecord,
  document: ArchitectureDocument,
  evidence: Evidence | undefined,
  documentOf: (record: PlacedRecord) => ArchitectureDocument | undefined,
): Aligned {
  // A successor that nobody accepted yet takes nothing away, unless the record itself says so.
  const holds = ({ status }: PlacedRecord): boolean =>
    record.status === "superseded" || (status !== "proposed" && status !== "rejected");
  const living = set.records.living(record).filter((other) => other !== record && holds(other));
  const heirs = living.flatMap((other) => documentOf(other) ?? []);
  const quoted = evidence && {
    quote: visible(evidence.quote).slice(0, longestQuote),
    line: evidence.line,
  };
  return {
    uri: document.uri,
    title: document.title,
    adr_id: record.name.digits || record.name.stem,
    status: record.status ?? "unknown",
    ...standing(record, heirs, evidence),
    ...quoted,
    ...(heirs.length > 0 && { living: heirs.map(({ uri }) => uri) }),
  };
}

function standing(
  { status }: PlacedRecord,
  heirs: readonly ArchitectureDocument[],
  evidence: Evidence | undefined,
): Pick<Aligned, "alignment" | "strength" | "reason"> {
  const related = (reason: string): ReturnType<typeof standing> => ({
    alignment: "related",
    strength: evidence?.isStrong ? "strong" : "weak",
    reason,
  });
  if (heirs.length > 0) {
    const titles = heirs.map(({ title }) => `'${title}'`).join(" and ");
    return related(`Superseded by ${titles}, which holds in its place.`);
  }
  switch (status) {
    case "superseded":
      return related("It is superseded, and nothing says by what.");
    case "deprecated":
      return related("It is deprecated, so it binds nobody.");
    case "rejected":
      return related("It was rejected: read why before the same is proposed again.");
    case "proposed":
      return related("It is only proposed, so nothing is decided yet.");
  }
  if (!evidence)
    return related("It shares words with the proposal, but its decision says nothing of it.");
  const isKnown = status === "accepted";
  const isStrong = evidence.isStrong && isKnown;
  const strength = isStrong ? "strong" : "weak";
  const doubt = isKnown ? "" : " Its status is unknown, so this is weak evidence.";
  if (evidence.kind === "against") {
    return { alignment: "conflicts", strength, reason: whyAgainst(evidence) + doubt };
  }
  if (evidence.isForeign) {
    return related(
      "It has words in common with the proposal, but for or against can be told in English only: weak evidence.",
    );
  }
  return evidence.isStrong
    ? { alignment: "supports", strength, reason: `Its decision says much the same.${doubt}` }
    : related("Its decision has single words in common with the proposal: weak evidence.");
}

function whyAgainst({ isStrong, inPlaceOf }: Evidence): string {
  if (inPlaceOf !== undefined) {
    return `It took the place of '${inPlaceOf}', which says what is proposed.`;
  }
  return isStrong
    ? "Its decision speaks against the proposal."
    : "Its decision may speak against the proposal: only some of the words are the same.";
}
