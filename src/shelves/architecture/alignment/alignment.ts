import { isEnglish } from "../../../text/language/english.ts";
import { contentStems, parseClauses } from "../../../text/language/stance.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { PlacedRecord } from "../decisions/record-set.ts";
import type { ArchitectureDocument } from "../knowledge/document.ts";
import { type DocumentIndex, plainTextQuery } from "../knowledge/document-index.ts";
import { type DocumentSet, documentsInCategory } from "../knowledge/document-set.ts";
import { type Evidence, findEvidence } from "./evidence.ts";

/** How a recorded decision relates to a proposal. */
export interface DecisionAlignment {
  uri: string;
  title: string;
  adr_id: string;
  status: string;
  alignment: "supports" | "conflicts" | "related";
  strength: "strong" | "weak";
  reason: string;
  quote?: string;
  line?: number;
  /** URIs of the decisions in force that superseded it. */
  living?: string[];
}

/** Bounds the output; large enough that no close decision is cut off. */
const maxRelated = 20;

const maxQuoteLength = 300;

/**
 * The decisions related to a proposal, conflicting ones first. Only a decision in force can support
 * or contradict it: a superseded one is represented by its successors.
 */
export function alignDecisions(
  set: DocumentSet,
  index: DocumentIndex,
  description: string,
  context: string,
): DecisionAlignment[] {
  const proposalStems = contentStems(description);
  const proposal = {
    clauses: parseClauses(splitLines(description)),
    isEnglish: isEnglish(description),
  };
  const byFile = new Map(set.records.decisions.map((record) => [record.file, record]));
  const documentOf = new Map(
    documentsInCategory(set, "adr").map((document) => [document.file, document]),
  );
  const evidenceOf = (record: PlacedRecord): Evidence | undefined => {
    const document = documentOf.get(record.file);
    return document && findEvidence(document, record, proposal);
  };
  /** A single shared word is enough if one side rejects what the other proposes. */
  const isDecided = (record: PlacedRecord): boolean => {
    const evidence = evidenceOf(record);
    return evidence !== undefined && (evidence.isStrong || evidence.kind === "against");
  };
  const query = plainTextQuery(`${description} ${context}`);
  const candidates = index
    .search(set.all, query, documentsInCategory(set, "adr"))
    .flatMap(({ document }) => byFile.get(document.file) ?? [])
    .filter(
      (record) =>
        sharesEnoughTerms(documentOf.get(record.file), proposalStems) || isDecided(record),
    );
  const successors = candidates.flatMap((record) => set.records.findInForce(record));
  const order = { conflicts: 0, supports: 1, related: 2 };
  return [...new Set([...candidates.slice(0, maxRelated), ...successors])]
    .flatMap((record) => {
      const document = documentOf.get(record.file);
      if (!document) return [];
      const evidence = supersededEvidence(set, record, evidenceOf) ?? evidenceOf(record);
      return [
        judgeDecision(set, record, document, evidence, (other) => documentOf.get(other.file)),
      ];
    })
    .sort((a, b) => order[a.alignment] - order[b.alignment])
    .slice(0, maxRelated);
}

/**
 * A proposal that matches a superseded decision contradicts its successor, unless it matches the
 * successor at least as well.
 */
function supersededEvidence(
  { records }: DocumentSet,
  record: PlacedRecord,
  evidenceOf: (record: PlacedRecord) => Evidence | undefined,
): Evidence | undefined {
  const ownEvidence = evidenceOf(record);
  for (const { older, partial } of records.supersedes(record)) {
    const olderEvidence = partial ? undefined : evidenceOf(older);
    if (olderEvidence?.kind !== "for" || !olderEvidence.isStrong) continue;
    if (
      ownEvidence &&
      (ownEvidence.kind === "against" || ownEvidence.shared >= olderEvidence.shared)
    )
      continue;
    const { title: quote } = record;
    const supersededTitle = toPrintable(older.title);
    return {
      kind: "against",
      isStrong: true,
      shared: olderEvidence.shared,
      line: 1,
      quote,
      supersededTitle,
    };
  }
  return undefined;
}

/**
 * A single shared word is a coincidence unless it is in the title or the proposal has few words.
 */
function sharesEnoughTerms(
  document: ArchitectureDocument | undefined,
  proposalStems: ReadonlySet<string>,
) {
  if (!document) return false;
  if ([...contentStems(document.title)].some((stem) => proposalStems.has(stem))) return true;
  const documentStems = contentStems(document.text);
  const count = [...proposalStems].filter((stem) => documentStems.has(stem)).length;
  return count >= Math.min(2, proposalStems.size) && count > 0;
}

function judgeDecision(
  set: DocumentSet,
  record: PlacedRecord,
  document: ArchitectureDocument,
  evidence: Evidence | undefined,
  documentOf: (record: PlacedRecord) => ArchitectureDocument | undefined,
): DecisionAlignment {
  // A successor that is not accepted yet leaves the record in force, unless the record itself says
  // otherwise.
  const isEffective = ({ status }: PlacedRecord): boolean =>
    record.status === "superseded" || (status !== "proposed" && status !== "rejected");
  const inForce = set.records
    .findInForce(record)
    .filter((other) => other !== record && isEffective(other));
  const successors = inForce.flatMap((other) => documentOf(other) ?? []);
  const quoted = evidence && {
    quote: toPrintable(evidence.quote).slice(0, maxQuoteLength),
    line: evidence.line,
  };
  return {
    uri: document.uri,
    title: document.title,
    adr_id: record.name.digits || record.name.stem,
    status: record.status ?? "unknown",
    ...classifyDecision(record, successors, evidence),
    ...quoted,
    ...(successors.length > 0 && { living: successors.map(({ uri }) => uri) }),
  };
}

function classifyDecision(
  { status }: PlacedRecord,
  successors: readonly ArchitectureDocument[],
  evidence: Evidence | undefined,
): Pick<DecisionAlignment, "alignment" | "strength" | "reason"> {
  const related = (reason: string): ReturnType<typeof classifyDecision> => ({
    alignment: "related",
    strength: evidence?.isStrong ? "strong" : "weak",
    reason,
  });
  if (successors.length > 0) {
    const titles = successors.map(({ title }) => `'${title}'`).join(" and ");
    return related(`Superseded by ${titles}.`);
  }
  switch (status) {
    case "superseded":
      return related("It is superseded, but no successor is recorded.");
    case "deprecated":
      return related("It is deprecated and no longer binding.");
    case "rejected":
      return related("It was rejected: read the reasons before proposing it again.");
    case "proposed":
      return related("It is only proposed; nothing is decided yet.");
  }
  if (!evidence)
    return related("It shares words with the proposal, but its decision does not address it.");
  const isKnown = status === "accepted";
  const isStrong = evidence.isStrong && isKnown;
  const strength = isStrong ? "strong" : "weak";
  const doubt = isKnown ? "" : " Its status is unknown, so this is weak evidence.";
  if (evidence.kind === "against") {
    return { alignment: "conflicts", strength, reason: conflictReason(evidence) + doubt };
  }
  if (evidence.isForeignLanguage) {
    return related(
      "It shares words with the proposal, but agreement can be detected in English only: weak evidence.",
    );
  }
  return evidence.isStrong
    ? {
        alignment: "supports",
        strength,
        reason: `Its decision says much the same as the proposal.${doubt}`,
      }
    : related("Its decision shares only single words with the proposal: weak evidence.");
}

function conflictReason({ isStrong, supersededTitle }: Evidence): string {
  if (supersededTitle !== undefined) {
    return `It superseded '${supersededTitle}', which matches the proposal.`;
  }
  return isStrong
    ? "Its decision contradicts the proposal."
    : "Its decision may contradict the proposal: only some of the words match.";
}
