/** The status of a decision. `other` is used for unknown words. */
export const decisionStatuses = [
  "proposed",
  "accepted",
  "rejected",
  "deprecated",
  "superseded",
] as const;

export type DecisionStatus = (typeof decisionStatuses)[number];

/**
 * The status words in English, German, French and Spanish. The German `ersetzt` is left out,
 * because it may mean that this record replaces another.
 */
const wordsByStatus: Record<DecisionStatus, string> = {
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

/** Words that negate the next word. */
const negations = new Set(["nicht", "non", "pas", "no"]);

const statusByWord = new Map(
  decisionStatuses.flatMap((status) =>
    wordsByStatus[status].split(/\s+/).map((word) => [word, status] as const),
  ),
);

/**
 * The first known status word decides, but "superseded" always wins: `Accepted, superseded by 12`.
 * Null for an empty status, and for a placeholder such as `[proposed | accepted]`.
 */
export function parseStatus(written: string | null): DecisionStatus | "other" | null {
  if (written === null || /^[\s\p{P}]*$/u.test(written)) return null;
  // Link texts and destinations describe other records.
  const text = written.slice(0, 1_000).replace(/\[[^\][]{0,300}\]\([^()]{0,300}\)/g, " ");
  if (text.includes("|")) return null;
  const words: string[] =
    text
      .normalize()
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const isNegated = words.some(
    (word, index) => statusByWord.has(word) && negations.has(words[index - 1] ?? ""),
  );
  if (isNegated || words.includes("not")) return "other";
  const statuses = words.flatMap((word) => statusByWord.get(word) ?? []);
  return statuses.includes("superseded") ? "superseded" : (statuses[0] ?? "other");
}

/** The allowed status changes. An unknown status may change to any. */
const successors: Record<DecisionStatus, readonly DecisionStatus[]> = {
  proposed: ["accepted", "rejected", "deprecated", "superseded"],
  accepted: ["deprecated", "superseded"],
  rejected: ["proposed"],
  deprecated: ["accepted", "superseded"],
  superseded: [],
};

export const allowedNextStatuses = (
  from: DecisionStatus | "other" | null,
): readonly DecisionStatus[] =>
  from === null || from === "other" ? decisionStatuses : successors[from];
