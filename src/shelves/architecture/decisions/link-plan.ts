import { Failure, invalid } from "../../../kernel/failure.ts";
import { parseRelation } from "../../../text/decisions/record-links.ts";
import {
  addVerifiedLink,
  type ChangePlan,
  type PlanContext,
  type PlannedEdit,
} from "./change-plan.ts";
import { decisionLabel, findDecision } from "./decision-lookup.ts";
import type { PlacedRecord, RecordSet } from "./record-set.ts";

/** Links two records in both directions, each with its own verb. */
export function planLink(
  { set, readText }: PlanContext,
  request: { source: string; verb: string; target: string; reverse?: string | undefined },
): ChangePlan {
  const [source, target] = [findDecision(set, request.source), findDecision(set, request.target)];
  if (source === target) throw invalid("source and target are the same decision.");
  const verb = parseVerb("verb", request.verb);
  const reverse = parseVerb("reverse", request.reverse ?? reverseVerbOf(verb));
  if ([verb, reverse].some((words) => /supersede/.test(parseRelation(words)))) {
    throw invalid("verb: superseding also changes the status.", ["Use supersede."]);
  }
  const edits = [
    linkEdit(set, source, verb, target, readText(source.file)),
    linkEdit(set, target, reverse, source, readText(target.file)),
  ].filter((edit) => edit.before !== edit.after);
  if (edits.length === 0) {
    throw new Failure("conflict", "already-stated", "Both decisions are already linked this way.");
  }
  const summary = `Link '${decisionLabel(source)}' (${verb.toLowerCase()}) to '${decisionLabel(target)}'`;
  return { summary, file: source.file, edits };
}

function linkEdit(
  set: RecordSet,
  record: PlacedRecord,
  verb: string,
  target: PlacedRecord,
  before: string,
): PlannedEdit {
  const hasLink = set
    .linksOf(record)
    .some((link) => link.target === target && link.verb.toLowerCase() === verb.toLowerCase());
  const after = hasLink ? before : addVerifiedLink(record, before, verb, target);
  return { file: record.file, before, after };
}

function parseVerb(name: string, text: string): string {
  const verb = text.trim();
  if (/^\p{L}[\p{L}' -]{0,38}$/u.test(verb)) return verb;
  throw invalid(`${name} must be a short verb phrase, e.g. 'Amends' or 'Amended by'.`);
}

const reverseVerbs = [
  ["amends", "amended by"],
  ["augments", "augmented by"],
  ["clarifies", "clarified by"],
  ["extends", "extended by"],
  ["refines", "refined by"],
  ["implements", "implemented by"],
  ["depends on", "needed by"],
  ["relates to", "relates to"],
] as const;

function reverseVerbOf(verb: string): string {
  const lowerCaseVerb = verb.toLowerCase();
  for (const [forward, backward] of reverseVerbs) {
    if (lowerCaseVerb === forward) return backward;
    if (lowerCaseVerb === backward) return forward;
  }
  throw invalid(`reverse is required: give the verb that the target uses for '${verb}'.`);
}
