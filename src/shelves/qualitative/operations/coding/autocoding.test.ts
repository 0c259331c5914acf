import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  interviews,
} from "../../../../../tests/fixtures/qualitative/project-library.ts";

const talk = `Date: 3 May

Researcher 1: How was it? 😀

María José: It rained.
We hoped, though.

And waited.

Researcher 1: Was it hope?

maría josé: Hope, yes. Mere hoping.`;

async function library() {
  const opened = await interviewLibrary();
  await opened.call("add_text_source", { name: "Talk", content: talk });
  const { call } = opened;
  return {
    ...opened,
    segments: async (source_id: number) =>
      (await call("list_segments_for_source", { source_id })).segments as Record<string, unknown>[],
    words: async (name: string, input: object): Promise<string[]> => {
      const { matches } = await call(name, { code_id: 2, dry_run: true, ...input });
      return (matches as { selected_text: string }[]).map((match) => match.selected_text);
    },
  };
}

test("[qualitative.autocode.pattern] words, parts of words and expressions are found", async () => {
  const { words } = await library();
  const find = (pattern: string, more: object = {}) =>
    words("auto_code_pattern", { source_id: 3, pattern, ...more });

  expect(await find("hope")).toEqual(["hope", "Hope"]);
  expect(await find("hope", { case_sensitive: true })).toEqual(["hope"]);
  expect(await find("hop", { match_type: "contains" })).toEqual(["hop", "hop", "Hop", "hop"]);
  expect(await find("hop\\w+", { match_type: "regex" })).toEqual([
    "hoped",
    "hope",
    "Hope",
    "hoping",
  ]);
  expect(await find("HOP\\w+", { match_type: "regex", case_sensitive: true })).toEqual([]);
  expect(await find("^We .*$", { match_type: "regex" })).toEqual(["We hoped, though."]);
  expect(await find("hop", { match_type: "contains", scope: "first" })).toEqual(["hop"]);
  expect(await find("hop\\w+", { match_type: "regex", scope: "last" })).toEqual(["hoping"]);
  expect(await find("rained", { expand: "sentence" })).toEqual(["María José: It rained."]);
  expect(await find("h", { match_type: "contains", expand: "paragraph", scope: "last" })).toEqual([
    "maría josé: Hope, yes. Mere hoping.",
  ]);
  expect(await find("hop", { match_type: "contains", expand: "sentence" })).toEqual([
    "We hoped, though.",
    "Researcher 1: Was it hope?",
    "maría josé: Hope, yes.",
    "Mere hoping.",
  ]);
});

test("[qualitative.autocode.pattern] without a source all sources are searched, and positions are code points", async () => {
  const { call, root } = await library();
  const answer = await call("auto_code_pattern", {
    code_id: 2,
    pattern: "hop",
    match_type: "contains",
    scope: "first",
  });

  expect(answer).toMatchObject({
    code_name: "Waiting",
    dry_run: false,
    matched: 2,
    coded: 2,
    duplicates_skipped: 0,
    truncated: false,
    matches: [
      {
        source_id: 1,
        source_name: "Ana",
        start_position: 2,
        end_position: 5,
        selected_text: "hop",
      },
      { source_id: 3, source_name: "Talk", segment_id: expect.any(Number) },
    ],
  });
  const rows = databaseOf(`${root}/interviews.qda/data.qda`).all<{ text: string; part: string }>(
    `SELECT c.seltext AS text, substr(s.fulltext, c.pos0 + 1, c.pos1 - c.pos0) AS part
       FROM code_text c JOIN source s ON s.id = c.fid WHERE cid = 2`,
  );
  expect(rows).toHaveLength(2);
  for (const { text, part } of rows) expect(text).toBe(part);
});

test("[qualitative.autocode.preview] a dry run writes nothing, and its token codes exactly what it showed", async () => {
  const { call, refusal, segments, root } = await library();
  const input = { code_id: 2, pattern: "hoped" };
  const before = databaseOf(`${root}/interviews.qda/data.qda`).get("SELECT total_changes()");
  const preview = await call("auto_code_pattern", { ...input, dry_run: true });

  expect(preview).toMatchObject({
    dry_run: true,
    matched: 3,
    coded: 0,
    preview_token: expect.any(String),
  });
  expect(preview).not.toHaveProperty("change_id");
  expect(await segments(3)).toEqual([]);
  expect(databaseOf(`${root}/interviews.qda/data.qda`).get("SELECT total_changes()")).toEqual(
    before,
  );
  await call("add_text_source", { name: "More", content: "I hoped." });
  const { preview_token } = preview;
  expect(await refusal("auto_code_pattern", { ...input, preview_token })).toMatchObject({
    kind: "conflict",
    code: "PREVIEW_STALE",
  });
  const again = await call("auto_code_pattern", { ...input, dry_run: true });
  expect(
    await call("auto_code_pattern", { ...input, preview_token: again.preview_token }),
  ).toMatchObject({ coded: 4 });
});

test("[qualitative.autocode.duplicates] passages already coded are skipped, and reported", async () => {
  const { call, segments } = await library();
  const input = { code_id: 1, pattern: "hoped", source_id: 1 };

  expect(await call("auto_code_pattern", input)).toMatchObject({
    matched: 2,
    coded: 1,
    duplicates_skipped: 1,
    matches: [{ duplicate: true, start_position: 2 }, { segment_id: expect.any(Number) }],
  });
  const again = await call("auto_code_pattern", input);
  expect(again).toMatchObject({ matched: 2, coded: 0, duplicates_skipped: 2 });
  expect(again).not.toHaveProperty("change_id");
  expect(await segments(1)).toHaveLength(2);
  await call("auto_code_pattern", input, { surface: "mcp", client: "claude" });
  expect(await segments(1)).toHaveLength(4);
});

test("[qualitative.autocode.undo] one undo reverts the call, and keeps earlier codings", async () => {
  const { call, segments } = await library();
  const { change_id, coded } = await call("auto_code_pattern", {
    code_id: 1,
    pattern: "\\p{L}+",
    match_type: "regex",
  });

  expect(coded).toBeGreaterThan(30);
  await call("undo_change", { id: change_id });
  expect(await segments(3)).toEqual([]);
  expect(await segments(1)).toMatchObject([{ start_position: 2, end_position: 7 }]);
});

test("[qualitative.autocode.refused] an invalid pattern is refused with the reason", async () => {
  const { call, refusal } = await library();
  for (const pattern of ["(", "a**b(", "(?=a)", "(a)\\1", "a*", "", "[z-a]"]) {
    expect([
      pattern,
      await refusal("auto_code_pattern", { code_id: 1, pattern, match_type: "regex" }),
    ]).toMatchObject([
      pattern,
      {
        kind: "invalid",
        code: "AUTO_CODE_PATTERN/INVALID_PATTERN",
        message: expect.stringContaining("'pattern'"),
      },
    ]);
  }
  expect(await refusal("auto_code_pattern", { code_id: 1, pattern: " " })).toMatchObject({
    code: "AUTO_CODE_PATTERN/INVALID_PATTERN",
  });
  expect(await refusal("auto_code_pattern", { code_id: 9, pattern: "x" })).toMatchObject({
    code: "CODE_NOT_FOUND",
  });
  expect(
    await refusal("auto_code_speaker", { code_id: 1, speaker: "x", source_id: 9 }),
  ).toMatchObject({
    code: "SOURCE_NOT_FOUND",
  });
  await call("add_text_source", { name: "Many", content: "a ".repeat(10_001) });
  for (const scope of ["all", "last"]) {
    expect(await refusal("auto_code_pattern", { code_id: 1, pattern: "a", scope })).toMatchObject({
      kind: "too-large",
      code: "AUTO_CODE_PATTERN/TOO_MANY_MATCHES",
    });
  }
});

test("[qualitative.autocode.refused] an expression with catastrophic backtracking in other engines is answered", async () => {
  const { call } = await library();
  await call("add_text_source", { name: "Trap", content: `${"a".repeat(100_000)}!` });

  expect(
    await call("auto_code_pattern", {
      code_id: 1,
      pattern: "^(a+)+$",
      match_type: "regex",
      source_id: 4,
    }),
  ).toMatchObject({ matched: 0, coded: 0 });
});

test("[qualitative.autocode.speaker] all lines of every turn are coded, without the name", async () => {
  const { call, words, segments } = await library();
  const turns = ["It rained.\nWe hoped, though.\n\nAnd waited.", "Hope, yes. Mere hoping."];

  for (const speaker of [
    "María José",
    "MARÍA JOSÉ",
    "María José".normalize("NFD"),
    " maría  josé: ",
  ]) {
    expect(await words("auto_code_speaker", { speaker })).toEqual(turns);
  }
  expect(await words("auto_code_speaker", { speaker: "Researcher 1" })).toEqual([
    "How was it? 😀",
    "Was it hope?",
  ]);
  const answer = await call("auto_code_speaker", { code_id: 2, speaker: "María José" });
  expect(answer).toMatchObject({
    matched: 2,
    coded: 2,
    speakers: [
      { name: "Researcher 1", count: 2 },
      { name: "María José", count: 2 },
    ],
  });
  expect((await segments(3)).map(({ selected_text }) => selected_text)).toEqual(turns);
  await call("undo_change", { id: answer.change_id });
  expect(await segments(3)).toEqual([]);
});

test("[qualitative.autocode.speaker] a speaker without turns is not an error, and the others are listed", async () => {
  const { call } = await library();
  const answer = await call("auto_code_speaker", { code_id: 2, speaker: "Date" });

  expect(answer).toMatchObject({ matched: 0, coded: 0, matches: [], speakers: [{}, {}] });
  expect(answer).not.toHaveProperty("change_id");
  expect(
    await call("auto_code_speaker", { code_id: 2, speaker: "Ana", source_id: 1 }),
  ).toMatchObject({
    speakers: [],
  });
  expect(interviews.Ana).not.toContain(":");
});

test("[qualitative.autocode.preview] only some matches are shown, all are coded", async () => {
  const { call, segments } = await library();
  await call("add_text_source", { name: "Many", content: "yes ".repeat(250) });
  const input = { code_id: 1, pattern: "yes", source_id: 4 };
  const preview = await call("auto_code_pattern", { ...input, dry_run: true });

  expect(preview).toMatchObject({ matched: 250, truncated: true, remaining: 150 });
  expect(preview.matches).toHaveLength(100);
  expect(await call("auto_code_pattern", input)).toMatchObject({ coded: 250 });
  expect(await segments(4)).toHaveLength(250);
});

test("[qualitative.autocode.preview] if approval is required, the agent codes in its own name after a person accepts", async () => {
  const { call, segments } = await library();
  const agent = { surface: "mcp", client: "claude" };
  const person = { surface: "cli" };
  const input = { code_id: 2, speaker: "Researcher 1" };
  await call("set_policy", { operation: "auto_code_speaker", tier: "suggest" }, person);

  expect(await call("auto_code_speaker", { ...input, dry_run: true }, agent)).toMatchObject({
    matched: 2,
    coded: 0,
  });
  const { proposal_id } = await call("auto_code_speaker", input, agent);
  expect(await segments(3)).toEqual([]);
  await call("accept_proposal", { id: proposal_id }, person);
  expect(await segments(3)).toMatchObject([{ owner: "claude" }, { owner: "claude" }]);
});

test("[qualitative.autocode.speaker] private sources are neither coded nor reported", async () => {
  const { call } = await library();
  const agent = { surface: "mcp", client: "claude" };
  await call("set_source_privacy", { source_id: 3 }, { surface: "cli" });

  expect(
    await call("auto_code_speaker", { code_id: 2, speaker: "Researcher 1" }, agent),
  ).toMatchObject({
    matched: 0,
    speakers: [],
  });
});
