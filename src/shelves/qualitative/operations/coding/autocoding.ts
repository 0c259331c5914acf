import * as z from "zod";
import type { Call } from "../../../../kernel/call.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import {
  countSpeakers,
  parseSpeakerTurns,
  type SpeakerTurn,
  speakerKey,
} from "../../../../text/transcripts/speaker-turns.ts";
import { requireCode } from "../../codebook/code.ts";
import { createPassageLocator, insertCoding } from "../../coding/passages.ts";
import {
  createPatternFinder,
  findMatches,
  matchExpansions,
  matchScopes,
  matchTypes,
  type PassageFinder,
  type PatternMatch,
} from "../../coding/pattern-matches.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { assertNotStale, digestOf } from "../../governance/preview-token.ts";
import { coderNameOf } from "../../project/coder.ts";
import { knownCodersOf } from "../../qda/storage-coders.ts";
import { isPassageCoded } from "../../qda/storage-segments.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput } from "../inputs.ts";

const scopeInput = {
  source_id: rowIdInput.nullish().describe("All sources by default"),
  dry_run: z.boolean().default(false),
  preview_token: z.string().optional(),
};

/** Limit of the listed matches. All matches are coded. */
const maxMatchesShown = 100;

const codedOutput = {
  code_id: z.int(),
  code_name: z.string(),
  dry_run: z.boolean(),
  matched: z.int(),
  coded: z.int(),
  duplicates_skipped: z.int(),
  matches: z.array(
    z.object({
      source_id: z.int(),
      source_name: z.string(),
      start_position: z.int(),
      end_position: z.int(),
      selected_text: z.string(),
      duplicate: z.boolean().optional(),
      segment_id: z.int().optional(),
    }),
  ),
  truncated: z.boolean(),
  remaining: z.int().optional(),
  preview_token: z.string().optional(),
  change_id: changeId.optional(),
};

const autoCodePattern = writeOperation({
  name: "auto_code_pattern",
  title: "Code by pattern",
  summary:
    "Code all matches of a pattern. Passages that the coder already coded are skipped; one undo reverts all.",
  input: z.object({
    code_id: rowIdInput,
    pattern: z.string(),
    match_type: z.enum(matchTypes).default("exact").describe("exact: whole words"),
    scope: z.enum(matchScopes).default("all").describe("In each source"),
    case_sensitive: z.boolean().default(false),
    expand: z.enum(matchExpansions).default("none"),
    ...scopeInput,
  }),
  output: z.object(codedOutput),
  effect: "writes",
  expose: { mcp: true },
  example: { code_id: 2, pattern: "hoped", dry_run: true },
  plan({ pattern, match_type, scope, case_sensitive, expand, ...wanted }, state, call) {
    const errorCode = "AUTO_CODE_PATTERN";
    const patternRequest = { pattern, match_type, scope, case_sensitive, expand };
    const request = { ...wanted, operation: "auto_code_pattern", task: errorCode };
    const find = createPatternFinder(patternRequest, errorCode);
    return planAutocoding({ ...request, find }, () => ({}), state, call);
  },
});

const autoCodeSpeaker = writeOperation({
  name: "auto_code_speaker",
  title: "Code by speaker",
  summary:
    "Code all turns of a speaker in transcripts, without the name. Also lists all speakers with turn counts.",
  input: z.object({ code_id: rowIdInput, speaker: z.string(), ...scopeInput }),
  output: z.object({
    ...codedOutput,
    speakers: z.array(z.object({ name: z.string(), count: z.int() })),
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { code_id: 2, speaker: "Ana", dry_run: true },
  plan({ speaker, ...wanted }, state, call) {
    const turns: SpeakerTurn[] = [];
    const speakerName = speaker
      .trim()
      .replace(/[:：]$/, "")
      .replace(/^\[(.*)\]$/, "$1");
    const find: PassageFinder = (text) => {
      const speakerTurns = parseSpeakerTurns(text);
      for (const turn of speakerTurns) turns.push(turn);
      return speakerTurns.filter((turn) => speakerKey(turn.speaker) === speakerKey(speakerName));
    };
    const request = { ...wanted, operation: "auto_code_speaker", task: "AUTO_CODE_SPEAKER", find };
    return planAutocoding(request, () => ({ speakers: countSpeakers(turns) }), state, call);
  },
});

interface AutocodingRequest {
  operation: string;
  task: string;
  find: PassageFinder;
  code_id: number;
  source_id?: number | null | undefined;
  dry_run: boolean;
  preview_token?: string | undefined;
}

/** Shows what would be coded, or plans to code all matches that are not coded yet. */
function planAutocoding<Extra extends object>(
  request: AutocodingRequest,
  extraOutput: () => Extra,
  state: QualitativeState,
  call: Call,
) {
  const { operation, task: errorCode, find, code_id, source_id, dry_run, preview_token } = request;
  const project = state.requireProject();
  const { name } = requireCode(project.db, code_id);
  const where = { code: code_id, source: source_id ?? undefined, task: errorCode };
  const matches = findMatches(project.db, where, find);
  const owner = coderNameOf(call, knownCodersOf(project.db));
  const isNew = (match: PatternMatch) => !isPassageCoded(project.db, { ...match, owner });
  const uncoded = new Set(matches.filter(isNew));
  const facts = { code_id, code_name: name, dry_run, ...extraOutput() };
  const token = digestOf([project.path, code_id, name, matches]);
  if (dry_run) return { ...facts, ...toMatchesOutput(matches, uncoded), preview_token: token };
  assertNotStale(token, preview_token);
  if (uncoded.size === 0) return { ...facts, ...toMatchesOutput(matches, uncoded) };
  const segments = new Map<PatternMatch, number>();
  return planWrite(
    project,
    {
      call,
      operation,
      summary: () => `Coded ${pluralise(segments.size, "passage")} with '${name}'`,
    },
    (context) => {
      const locate = createPassageLocator(context.db);
      for (const match of matches) {
        const { source: source_id, start: start_position, end: end_position } = match;
        const now = locate({ code_id, source_id, start_position, end_position });
        assertNotStale(now.text, match.text);
        if (!isPassageCoded(context.db, { ...now, owner: context.owner })) {
          segments.set(match, insertCoding(context, now));
        }
      }
      return {};
    },
    ({ change_id }) => {
      for (const id of new Set(matches.map(({ source }) => source))) {
        call.announce({ topic: "segments.changed", about: String(id) });
      }
      const coded = new Set(segments.keys());
      return { ...facts, ...toMatchesOutput(matches, coded, segments), change_id };
    },
  );
}

function toMatchesOutput(
  matches: readonly PatternMatch[],
  uncoded: ReadonlySet<PatternMatch>,
  segments: ReadonlyMap<PatternMatch, number> = new Map(),
) {
  const remaining = matches.length - maxMatchesShown;
  return {
    matched: matches.length,
    coded: segments.size,
    duplicates_skipped: matches.length - uncoded.size,
    matches: matches.slice(0, maxMatchesShown).map((match) => {
      const segment_id = segments.get(match);
      return {
        source_id: match.source,
        source_name: match.source_name,
        start_position: match.start,
        end_position: match.end,
        selected_text: match.text,
        ...(!uncoded.has(match) && { duplicate: true }),
        ...(segment_id !== undefined && { segment_id }),
      };
    }),
    truncated: remaining > 0,
    ...(remaining > 0 && { remaining }),
  };
}

export const autocodingOperations = [autoCodePattern, autoCodeSpeaker];
