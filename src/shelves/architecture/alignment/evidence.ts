import { isEnglish } from "../../../text/language/english.ts";
import { type Clause, contentStems, parseClauses } from "../../../text/language/stance.ts";
import type { PlacedRecord } from "../decisions/record-set.ts";
import type { ArchitectureDocument } from "../knowledge/document.ts";

/** A sentence of a decision that supports or contradicts a proposal. */
export interface Evidence {
  kind: "for" | "against";
  /** False for weak evidence: it shares some words and may mean something else. */
  isStrong: boolean;
  /** The number of words it shares with the proposal. */
  shared: number;
  quote: string;
  /** 1-based. */
  line: number;
  /** True if either text is not English, so agreement cannot be detected. */
  isForeignLanguage?: boolean;
  /** The title of the superseded decision that matches the proposal. */
  supersededTitle?: string;
}

interface Proposal {
  clauses: readonly Clause[];
  isEnglish: boolean;
}

/** The strongest evidence; undefined if the decision does not address the proposal. */
export function findEvidence(
  document: ArchitectureDocument,
  record: PlacedRecord,
  { clauses: proposal, isEnglish: isProposalEnglish }: Proposal,
): Evidence | undefined {
  const decided = decidedClauses(document, record);
  const titleClauses = parseClauses([record.title], titleLine(document));
  const matches = [
    ...decided.flatMap((clause) => proposal.flatMap((other) => compareClauses(clause, other, 1))),
    // A single word of a title only names the subject.
    ...titleClauses.flatMap((clause) =>
      proposal.flatMap((other) => compareClauses(clause, other, 2)),
    ),
  ];
  const isForeign = !(isProposalEnglish && isWrittenInEnglish(document, decided));
  const evidence = [
    ...rejectedOptionEvidence(document, record, proposal, decided),
    ...(isForeign ? matches.map(toForeignEvidence) : matches),
  ];
  // Contradictions first, then by the number of shared words, then by line.
  const rank = ({ kind, isStrong }: Evidence): number =>
    (isStrong ? 0 : 2) + (kind === "against" ? 0 : 1);
  return evidence.sort((a, b) => rank(a) - rank(b) || b.shared - a.shared || a.line - b.line)[0];
}

/**
 * Headings are often English in any language, so the decision and the whole text are checked too.
 */
const isWrittenInEnglish = ({ text }: ArchitectureDocument, decided: readonly Clause[]): boolean =>
  isEnglish(text) && isEnglish(decided.map(({ sentence }) => sentence).join(" "));

/** Negations are recognised in English only; in other languages only names can be compared. */
const toForeignEvidence = (evidence: Evidence): Evidence => ({
  ...evidence,
  kind: "for",
  isStrong: false,
  isForeignLanguage: true,
});

const isDecisionHeading = (title: string): boolean =>
  /^(?:\d+[.)]\s*)?(?:the )?(?:decisions?|decision outcome|outcome|resolution)\b(?! drivers| makers)/i.test(
    title,
  );

const titleLine = ({ lines }: ArchitectureDocument): number =>
  Math.max(
    lines.findIndex((line) => /^# /.test(line)),
    0,
  ) + 1;

/** The clauses of the decision section; of the whole record if there is none. */
function decidedClauses({ lines }: ArchitectureDocument, record: PlacedRecord): Clause[] {
  const section = record.sections.find(({ title }) => isDecisionHeading(title));
  const first = section ? section.line + 1 : 1;
  return parseClauses(lines.slice(first - 1, section?.endLine), first);
}

/** Counted in stems, e.g. `We use Terraform to build servers in the cloud.` */
const maxShortClauseTerms = 4;

/**
 * ```
 * decision   We use Postgres instead of [Mongo].     against: mongo
 * proposal   Use [Mongo] for the orders.             for: mongo, order
 * ```
 * If one side rejects what the other proposes, strong evidence requires that everything rejected is
 * proposed. `minShared` is the number of shared words that makes support strong. A single shared
 * word is the subject of a short clause but incidental in a long one.
 */
function compareClauses(decided: Clause, proposed: Clause, minShared: number): Evidence[] {
  const shared = [...decided.about].filter((stem) => proposed.about.has(stem));
  if (shared.length === 0) return [];
  const quote = { shared: shared.length, quote: decided.sentence, line: decided.line };
  const isIncidental =
    shared.length === 1 && decided.about.size > (minShared > 1 ? 1 : maxShortClauseTerms);
  if (decided.isAgainst === proposed.isAgainst) {
    const smaller = Math.min(decided.about.size, proposed.about.size);
    const isMost =
      shared.length / smaller >= 2 / 3 &&
      shared.length >= Math.max(minShared, Math.min(2, smaller));
    return [{ kind: "for", isStrong: isMost && !isIncidental, ...quote }];
  }
  const rejected = decided.isAgainst ? decided.about : proposed.about;
  const coverage = shared.length / rejected.size;
  if (coverage === 1) return [{ kind: "against", isStrong: !isIncidental, ...quote }];
  return coverage >= 0.5 && shared.length > 1
    ? [{ kind: "against", isStrong: false, ...quote }]
    : [];
}

/** Evidence that the proposal names an option that was considered and not chosen. */
function rejectedOptionEvidence(
  { lines }: ArchitectureDocument,
  { sections }: PlacedRecord,
  proposal: readonly Clause[],
  decided: readonly Clause[],
): Evidence[] {
  const section = sections.find(({ title }) => /^considered options$/i.test(title));
  const choice = decided.find(({ sentence }) => /\bchosen option\b/i.test(sentence));
  if (!section || !choice) return [];
  const chosen = contentStems(choice.sentence);
  const proposedStems = new Set(
    proposal.flatMap(({ isAgainst, about }) => (isAgainst ? [] : [...about])),
  );
  const containsAll = (stems: readonly string[], of: ReadonlySet<string>): boolean =>
    stems.length > 0 && stems.every((stem) => of.has(stem));
  const options = lines
    .slice(section.line, section.endLine)
    .filter((line) => /^\s*[-*+]\s/.test(line))
    .map((line) => [...contentStems(line)]);
  const chosenOptions = options.filter((option) => containsAll(option, chosen));
  if (chosenOptions.some((option) => containsAll(option, proposedStems))) return [];
  const isNamed = options.some((option) => {
    const own = option.filter((stem) => !chosen.has(stem));
    return containsAll(option, proposedStems) && own.length > 0;
  });
  const { sentence: quote, line } = choice;
  return isNamed ? [{ kind: "against", isStrong: true, shared: 1, quote, line }] : [];
}
