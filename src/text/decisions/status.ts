/** What a decision can be. `other` is a word that means none of these. */
export const decisionStatuses = [
  "proposed",
  "accepted",
  "rejected",
  "deprecated",
  "superseded",
] as const;

export type DecisionStatus = (typeof decisionStatuses)[number];

/**
 * Words that records use, and what they come to: in English, German, French and Spanish. The German
 * `ersetzt` is not among them, since it may say that this record replaces another.
 */
const meanings: Record<DecisionStatus, string> = {
  proposed: `proposed proposal pending draft deciding open undecided review reviewing discussion
    consideration rfc wip new vorgeschlagen vorschlag entwurf offen proposé proposée brouillon
    propuesto propuesta borrador pendiente`,
  accepted: `accepted approved adopted agreed decided implemented active final ratified done
    akzeptiert angenommen beschlossen entschieden accepté acceptée adopté adoptée approuvé approuvée
    validé validée aceptado aceptada aprobado aprobada adoptado adoptada`,
  rejected: `rejected declined refused withdrawn abandoned cancelled canceled abgelehnt verworfen
    zurückgezogen rejeté rejetée refusé refusée abandonné abandonnée rechazado rechazada`,
  deprecated: `deprecated obsolete retired expired veraltet obsolète déprécié dépréciée obsoleto
    obsoleta`,
  superseded: `superseded superceded superseeded replaced obsoleted abgelöst remplacé remplacée
    reemplazado reemplazada sustituido sustituida`,
};

/** What turns the word behind it around. */
const negations = new Set(["nicht", "non", "pas", "no"]);

const meaningOf = new Map(
  decisionStatuses.flatMap((status) =>
    meanings[status].split(/\s+/).map((word) => [word, status] as const),
  ),
);

/**
 * The first word that has a meaning decides, save that a decision which was superseded is nothing
 * else: `Accepted, superseded by 12`. Null for nothing, and for a choice that nobody made yet:
 * `[proposed | accepted]`.
 */
export function statusOf(written: string | null): DecisionStatus | "other" | null {
  if (written === null || /^[\s\p{P}]*$/u.test(written)) return null;
  // A link's text and target are somebody else's words.
  const own = written.slice(0, 1_000).replace(/\[[^\][]{0,300}\]\([^()]{0,300}\)/g, " ");
  if (own.includes("|")) return null;
  const words: string[] =
    own
      .normalize()
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const isTurned = words.some(
    (word, place) => meaningOf.has(word) && negations.has(words[place - 1] ?? ""),
  );
  if (isTurned || words.includes("not")) return "other";
  const known = words.flatMap((word) => meaningOf.get(word) ?? []);
  return known.includes("superseded") ? "superseded" : (known[0] ?? "other");
}

/** What may come after what. A word without a meaning may be mended to anything. */
const successors: Record<DecisionStatus, readonly DecisionStatus[]> = {
  proposed: ["accepted", "rejected", "deprecated", "superseded"],
  accepted: ["deprecated", "superseded"],
  rejected: ["proposed"],
  deprecated: ["accepted", "superseded"],
  superseded: [],
};

export const legalNext = (from: DecisionStatus | "other" | null): readonly DecisionStatus[] =>
  from === null || from === "other" ? decisionStatuses : successors[from];
