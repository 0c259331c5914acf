import { Failure, invalid } from "../../kernel/failure.ts";
import { relationOf } from "../../text/decisions/link.ts";
import { calledBy, recordNamed } from "./asked-record.ts";
import { type Ground, linkedText, type Plan, type PlannedEdit } from "./plan.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/** Two records say of one another how they stand, each in its own words. */
export function planLink(
  { set, textOf }: Ground,
  wanted: { source: string; verb: string; target: string; reverse?: string | undefined },
): Plan {
  const [source, target] = [recordNamed(set, wanted.source), recordNamed(set, wanted.target)];
  if (source === target) throw invalid("source and target are the same decision.");
  const verb = verbNamed("verb", wanted.verb);
  const reverse = verbNamed("reverse", wanted.reverse ?? reverseOf(verb));
  if ([verb, reverse].some((words) => /supersede/.test(relationOf(words)))) {
    throw invalid("verb: superseding changes the status too.", ["Use supersede."]);
  }
  const edits = [
    linkEdit(set, source, verb, target, textOf(source.file)),
    linkEdit(set, target, reverse, source, textOf(target.file)),
  ].filter((edit) => edit.before !== edit.after);
  if (edits.length === 0) {
    throw new Failure("conflict", "said-already", "Both decisions say so already.");
  }
  const summary = `Link '${calledBy(source)}' (${verb.toLowerCase()}) to '${calledBy(target)}'`;
  return { summary, file: source.file, edits };
}

function linkEdit(
  set: RecordSet,
  record: PlacedRecord,
  verb: string,
  target: PlacedRecord,
  before: string,
): PlannedEdit {
  const isSaid = set
    .linksOf(record)
    .some((link) => link.target === target && link.verb.toLowerCase() === verb.toLowerCase());
  const after = isSaid ? before : linkedText(record, before, verb, target);
  return { file: record.file, before, after };
}

function verbNamed(name: string, given: string): string {
  const verb = given.trim();
  if (/^\p{L}[\p{L}' -]{0,38}$/u.test(verb)) return verb;
  throw invalid(`${name} must be a few words, such as 'Amends' or 'Amended by'.`);
}

const opposites = [
  ["amends", "amended by"],
  ["augments", "augmented by"],
  ["clarifies", "clarified by"],
  ["extends", "extended by"],
  ["refines", "refined by"],
  ["implements", "implemented by"],
  ["depends on", "needed by"],
  ["relates to", "relates to"],
] as const;

function reverseOf(verb: string): string {
  const word = verb.toLowerCase();
  for (const [one, other] of opposites) {
    if (word === one) return other;
    if (word === other) return one;
  }
  throw invalid(
    `reverse is needed: what does the other decision say, where this one says '${verb}'?`,
  );
}
