import * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { speakerKey, speakersOf, type Turn, turnsOf } from "../../../text/speakers.ts";
import { codeById } from "../code.ts";
import { coderOf } from "../coder.ts";
import { codePassage, makePlacer } from "../coding.ts";
import {
  expansions,
  type Finder,
  type Match,
  matchesIn,
  matchTypes,
  patternFinder,
  scopes,
} from "../matching.ts";
import { markOf, refuseStale } from "../preview.ts";
import { codersIn } from "../qda/storage-coders.ts";
import { isCoded } from "../qda/storage-segments.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const whereInput = {
  source_id: idInput.nullish().describe("All sources by default"),
  dry_run: z.boolean().default(false),
  preview_token: z.string().optional(),
};

/** So many matches are shown; all are coded. */
const mostShown = 100;

const codedShape = {
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

const autoCodePattern = operation({
  name: "auto_code_pattern",
  title: "Code by pattern",
  summary:
    "Code every passage that fits a pattern. What the same coder has coded so is skipped; one undo takes all back.",
  input: z.object({
    code_id: idInput,
    pattern: z.string(),
    match_type: z.enum(matchTypes).default("exact").describe("exact: whole words"),
    scope: z.enum(scopes).default("all").describe("In each source"),
    case_sensitive: z.boolean().default(false),
    expand: z.enum(expansions).default("none"),
    ...whereInput,
  }),
  output: z.object(codedShape),
  effect: "writes",
  expose: { mcp: true },
  example: { code_id: 2, pattern: "hoped", dry_run: true },
  run({ pattern, match_type, scope, case_sensitive, expand, ...wanted }, state, call) {
    const task = "AUTO_CODE_PATTERN";
    const given = { pattern, match_type, scope, case_sensitive, expand };
    const about = { ...wanted, operation: "auto_code_pattern", task };
    return coded({ ...about, find: patternFinder(given, task) }, state, call);
  },
});

const autoCodeSpeaker = operation({
  name: "auto_code_speaker",
  title: "Code by speaker",
  summary:
    "Code every turn of a speaker in transcripts, without the name in front. Tells all speakers with their turns.",
  input: z.object({ code_id: idInput, speaker: z.string(), ...whereInput }),
  output: z.object({
    ...codedShape,
    speakers: z.array(z.object({ name: z.string(), count: z.int() })),
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { code_id: 2, speaker: "Ana", dry_run: true },
  run({ speaker, ...wanted }, state, call) {
    const turns: Turn[] = [];
    const bare = speaker
      .trim()
      .replace(/[:：]$/, "")
      .replace(/^\[(.*)\]$/, "$1");
    const find: Finder = (text) => {
      const found = turnsOf(text);
      for (const turn of found) turns.push(turn);
      return found.filter((turn) => speakerKey(turn.speaker) === speakerKey(bare));
    };
    const about = { ...wanted, operation: "auto_code_speaker", task: "AUTO_CODE_SPEAKER", find };
    return { ...coded(about, state, call), speakers: speakersOf(turns) };
  },
});

interface Wanted {
  operation: string;
  task: string;
  find: Finder;
  code_id: number;
  source_id?: number | null | undefined;
  dry_run: boolean;
  preview_token?: string | undefined;
}

/** Shows what would be coded, or codes it: all matches or none, without those that are there. */
function coded(wanted: Wanted, state: QualitativeState, call: Call) {
  const { operation, task, find, code_id, source_id, dry_run, preview_token } = wanted;
  const project = state.needed();
  const { name } = codeById(project.db, code_id);
  const where = { code: code_id, source: source_id ?? undefined, task };
  const matches = matchesIn(project.db, where, find);
  const owner = coderOf(call, codersIn(project.db));
  const isNew = (match: Match) => !isCoded(project.db, { ...match, owner });
  const fresh = new Set(matches.filter(isNew));
  const about = { code_id, code_name: name, dry_run };
  const mark = markOf([project.path, code_id, name, matches]);
  if (dry_run) return { ...about, ...shown(matches, fresh), preview_token: mark };
  refuseStale(mark, preview_token);
  if (fresh.size === 0) return { ...about, ...shown(matches, fresh) };
  const segments = new Map<Match, number>();
  const summary = () => `Coded ${counted(segments.size, "passage")} with '${name}'`;
  const { change_id } = project.write({ call, operation, summary }, (hand) => {
    const place = makePlacer(hand.db);
    for (const match of matches) {
      const { source: source_id, start: start_position, end: end_position } = match;
      const now = place({ code_id, source_id, start_position, end_position });
      refuseStale(now.text, match.text);
      if (!isCoded(hand.db, { ...now, owner: hand.owner })) {
        segments.set(match, codePassage(hand, now));
      }
    }
    return {};
  });
  for (const id of new Set(matches.map(({ source }) => source))) {
    call.announce({ topic: "segments.changed", about: String(id) });
  }
  return { ...about, ...shown(matches, new Set(segments.keys()), segments), change_id };
}

function shown(
  matches: readonly Match[],
  fresh: ReadonlySet<Match>,
  segments: ReadonlyMap<Match, number> = new Map(),
) {
  const remaining = matches.length - mostShown;
  return {
    matched: matches.length,
    coded: segments.size,
    duplicates_skipped: matches.length - fresh.size,
    matches: matches.slice(0, mostShown).map((match) => {
      const segment_id = segments.get(match);
      return {
        source_id: match.source,
        source_name: match.source_name,
        start_position: match.start,
        end_position: match.end,
        selected_text: match.text,
        ...(!fresh.has(match) && { duplicate: true }),
        ...(segment_id !== undefined && { segment_id }),
      };
    }),
    truncated: remaining > 0,
    ...(remaining > 0 && { remaining }),
  };
}

export const autocodingOperations = [autoCodePattern, autoCodeSpeaker];
