import { isEnglish } from "../../text/language.ts";
import { type Clause, clausesOf, contentOf } from "../../text/stance.ts";
import type { ArchitectureDocument } from "./document.ts";
import type { PlacedRecord } from "./record-set.ts";

/** A sentence of a decision that speaks for or against a proposal. */
export interface Evidence {
  kind: "for" | "against";
  /** Weak evidence shares some words and may mean something else. */
  isStrong: boolean;
  /** How many words of the proposal it has. */
  shared: number;
  quote: string;
  /** Counted from one. */
  line: number;
  /** Where either text is not English, nobody can tell whether it speaks for or against. */
  isForeign?: boolean;
  /** The title of an older decision that says what is proposed, where this one took its place. */
  inPlaceOf?: string;
}

/** What is proposed. */
interface Proposal {
  clauses: readonly Clause[];
  isEnglish: boolean;
}

/** The sentence that decides; nothing where the decision says nothing of the proposal. */
export function evidenceIn(
  document: ArchitectureDocument,
  record: PlacedRecord,
  { clauses: proposal, isEnglish: isProposalEnglish }: Proposal,
): Evidence | undefined {
  const decided = decidedClauses(document, record);
  const named = clausesOf([record.title], titleLine(document));
  const byWords = [
    ...decided.flatMap((clause) => proposal.flatMap((other) => compared(clause, other, 1))),
    // One word of a title only says what it is about.
    ...named.flatMap((clause) => proposal.flatMap((other) => compared(clause, other, 2))),
  ];
  const isForeign = !(isProposalEnglish && isWrittenInEnglish(document, decided));
  const found = [
    ...passedOver(document, record, proposal, decided),
    ...(isForeign ? byWords.map(asForeign) : byWords),
  ];
  // What speaks against goes before what speaks for, then what shares most, then what is first.
  const rank = ({ kind, isStrong }: Evidence): number =>
    (isStrong ? 0 : 2) + (kind === "against" ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b) || b.shared - a.shared || a.line - b.line)[0];
}

/** Headings are often left in English; what was decided, and the text as a whole, must be so too. */
const isWrittenInEnglish = ({ text }: ArchitectureDocument, decided: readonly Clause[]): boolean =>
  isEnglish(text) && isEnglish(decided.map(({ sentence }) => sentence).join(" "));

/** The words that refuse are known in English alone; in other languages only names can be compared. */
const asForeign = (evidence: Evidence): Evidence => ({
  ...evidence,
  kind: "for",
  isStrong: false,
  isForeign: true,
});

const isDecision = (title: string): boolean =>
  /^(?:\d+[.)]\s*)?(?:the )?(?:decisions?|decision outcome|outcome|resolution)\b(?! drivers| makers)/i.test(
    title,
  );

const titleLine = ({ lines }: ArchitectureDocument): number =>
  Math.max(
    lines.findIndex((line) => /^# /.test(line)),
    0,
  ) + 1;

/** What the section of the decision says; everything, where there is no such section. */
function decidedClauses({ lines }: ArchitectureDocument, record: PlacedRecord): Clause[] {
  const section = record.sections.find(({ title }) => isDecision(title));
  const first = section ? section.line + 1 : 1;
  return clausesOf(lines.slice(first - 1, section?.endLine), first);
}

/** In stems: `We use Terraform to build servers in the cloud.` is one. */
const shortClause = 4;

/**
 * ```
 * decision   We use Postgres instead of [Mongo].     against: mongo
 * proposal   Use [Mongo] for the orders.             for: mongo, order
 * ```
 * Where one side refuses what the other wants, all that is refused must be wanted to be sure.
 * `least` is how many words in common make a support sure. One alone is what a short clause is
 * about, and in a long one it is mentioned by the way.
 */
function compared(decided: Clause, proposed: Clause, least: number): Evidence[] {
  const shared = [...decided.about].filter((stem) => proposed.about.has(stem));
  if (shared.length === 0) return [];
  const quote = { shared: shared.length, quote: decided.sentence, line: decided.line };
  const isByTheWay = shared.length === 1 && decided.about.size > (least > 1 ? 1 : shortClause);
  if (decided.isAgainst === proposed.isAgainst) {
    const smaller = Math.min(decided.about.size, proposed.about.size);
    const isMost =
      shared.length / smaller >= 2 / 3 && shared.length >= Math.max(least, Math.min(2, smaller));
    return [{ kind: "for", isStrong: isMost && !isByTheWay, ...quote }];
  }
  const refused = decided.isAgainst ? decided.about : proposed.about;
  const part = shared.length / refused.size;
  if (part === 1) return [{ kind: "against", isStrong: !isByTheWay, ...quote }];
  return part >= 0.5 && shared.length > 1 ? [{ kind: "against", isStrong: false, ...quote }] : [];
}

/** A proposal that names an option which was considered, and not the one that was chosen. */
function passedOver(
  { lines }: ArchitectureDocument,
  { sections }: PlacedRecord,
  proposal: readonly Clause[],
  decided: readonly Clause[],
): Evidence[] {
  const section = sections.find(({ title }) => /^considered options$/i.test(title));
  const choice = decided.find(({ sentence }) => /\bchosen option\b/i.test(sentence));
  if (!section || !choice) return [];
  const chosen = contentOf(choice.sentence);
  const wanted = new Set(proposal.flatMap(({ isAgainst, about }) => (isAgainst ? [] : [...about])));
  const isAll = (stems: readonly string[], of: ReadonlySet<string>): boolean =>
    stems.length > 0 && stems.every((stem) => of.has(stem));
  const options = lines
    .slice(section.line, section.endLine)
    .filter((line) => /^\s*[-*+]\s/.test(line))
    .map((line) => [...contentOf(line)]);
  const taken = options.filter((option) => isAll(option, chosen));
  if (taken.some((option) => isAll(option, wanted))) return [];
  const isNamed = options.some((option) => {
    const own = option.filter((stem) => !chosen.has(stem));
    return isAll(option, wanted) && own.length > 0;
  });
  const { sentence: quote, line } = choice;
  return isNamed ? [{ kind: "against", isStrong: true, shared: 1, quote, line }] : [];
}
