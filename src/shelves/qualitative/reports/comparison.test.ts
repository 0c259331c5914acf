import { expect, test } from "vitest";
import {
  type CodedContent,
  codedLibrary,
} from "../../../../tests/fixtures/qualitative/coded-project.ts";

type Row = Record<string, string | number | null>;

const text = "abcdefghij".repeat(100);

/** One text of a thousand characters, and the codings of each coder. */
async function comparing(
  codings: [by: string, code: string, start: number, end: number][],
  more: Partial<CodedContent> = {},
) {
  const codes = Object.fromEntries(codings.map(([, code]) => [code, null]));
  return codedLibrary({
    sources: { Talk: text },
    codes,
    codings: codings.map(([by, code, start, end]) => ({ by, code, source: "Talk", start, end })),
    ...more,
  });
}

const rowsOf = ({ rows }: Record<string, unknown>): Row[] => rows as Row[];

test("[qualitative.reports.agreement] two coders are compared by Cohen's kappa, code by code", async () => {
  const { call } = await comparing([
    ["Eva", "Half", 0, 100],
    ["Ben", "Half", 50, 150],
    ["Eva", "Apart", 0, 100],
    ["Ben", "Apart", 200, 300],
    ["Eva", "Most", 0, 400],
    ["Ben", "Most", 100, 500],
    ["Eva", "Same", 0, 100],
    ["Ben", "Same", 0, 100],
  ]);
  const rows = rowsOf(await call("get_report", { report: "agreement" }));
  const figures = rows.map(({ code_name, kappa, kappa_qualcoder }) => [
    code_name,
    kappa,
    kappa_qualcoder,
  ]);

  expect(figures.slice(1)).toEqual([
    ["Apart", -0.1111, -0.0667],
    ["Half", 0.4444, 0.2987],
    ["Most", 0.5833, 0.5895],
    ["Same", 1, 1],
  ]);
  expect(rows[2]).toMatchObject({
    coder_a: "Ben",
    coder_b: "Eva",
    characters: 1000,
    both: 50,
    only_a: 50,
    only_b: 50,
    neither: 850,
    agreement: 0.9,
    coded_agreement: 0.3333,
    // 1 - (2000 - 1) * 100 / (200 * 1800)
    alpha: 0.4447,
  });
});

test("[qualitative.reports.overall] all codes together are compared as one over all decisions", async () => {
  const { call } = await comparing([
    ["Eva", "Half", 0, 100],
    ["Ben", "Half", 50, 150],
    ["Eva", "Apart", 0, 100],
    ["Ben", "Apart", 200, 300],
  ]);
  const [all] = rowsOf(await call("get_report", { report: "agreement" }));
  // Of 2000 decisions, each coder has 200 positive ones, 50 of them in common.
  const [observed, expected] = [1700 / 2000, 0.1 * 0.1 + 0.9 * 0.9];

  expect(all).toMatchObject({
    code_id: null,
    code_name: "All codes",
    characters: 2000,
    both: 50,
    neither: 1650,
    kappa: Math.round(((observed - expected) / (1 - expected)) * 10_000) / 10_000,
    alpha: Math.round((1 - (3999 * 300) / (400 * 3600)) * 10_000) / 10_000,
  });
});

test("[qualitative.reports.agreement] overlapping codings of one coder count once", async () => {
  const { call } = await comparing([
    ["Eva", "Half", 0, 70],
    ["Eva", "Half", 30, 100],
    ["Ben", "Half", 50, 150],
  ]);

  expect(rowsOf(await call("get_report", { report: "agreement" }))[1]).toMatchObject({
    both: 50,
    kappa: 0.4444,
  });
});

test("[qualitative.reports.several] for three coders each pair has a kappa, and all have an alpha", async () => {
  const { call } = await comparing([
    ["Eva", "Half", 0, 100],
    ["Ben", "Half", 50, 150],
    ["Cem", "Half", 0, 100],
  ]);
  const rows = rowsOf(await call("get_report", { report: "agreement" })).slice(4);

  expect(rows.map(({ coder_a, coder_b, kappa }) => [coder_a, coder_b, kappa])).toEqual([
    ["all 3", null, null],
    ["Ben", "Cem", 0.4444],
    ["Ben", "Eva", 0.4444],
    ["Cem", "Eva", 1],
  ]);
  // Two of three pairs differ on 100 characters: 200 of 3000 decisions, 300 positive of 3000 values.
  expect(rows[0]).toMatchObject({
    both: 50,
    neither: 850,
    agreement: 0.9333,
    alpha: Math.round((1 - (2999 * (200 / 2)) / (300 * 2700)) * 10_000) / 10_000,
  });
});

test("[qualitative.reports.compared] by default only sources coded by both are compared", async () => {
  const { call } = await codedLibrary({
    sources: { Both: text, "Eva's": text },
    codes: { Hope: null },
    codings: [
      { by: "Eva", code: "Hope", source: "Both", start: 0, end: 100 },
      { by: "Ben", code: "Hope", source: "Both", start: 0, end: 100 },
      { by: "Eva", code: "Hope", source: "Eva's", start: 0, end: 100 },
    ],
  });
  const usual = await call("get_report", { report: "agreement" });
  const named = await call("get_report", { report: "agreement", source_ids: [1, 2] });

  expect(rowsOf(usual)[1]).toMatchObject({ characters: 1000, kappa: 1 });
  expect(usual.notes).toContain("1 of 2 sources");
  expect(rowsOf(named)[1]).toMatchObject({ characters: 2000, both: 100, only_b: 100 });
});

test("[qualitative.reports.compared] a coder who coded a source without using a code has judged it as not applying", async () => {
  const { call } = await codedLibrary({
    sources: { First: text, Second: text },
    codes: { Hope: null, Doubt: null },
    codings: [
      { by: "Eva", code: "Hope", source: "First", start: 0, end: 100 },
      { by: "Ben", code: "Hope", source: "First", start: 0, end: 100 },
      { by: "Eva", code: "Hope", source: "Second", start: 0, end: 100 },
      { by: "Ben", code: "Doubt", source: "Second", start: 0, end: 100 },
    ],
  });
  const chosen = async (input: object) =>
    rowsOf(await call("get_report", { report: "agreement", ...input }))[1];
  const [, doubt, hope] = rowsOf(await call("get_report", { report: "agreement" }));

  expect(hope).toMatchObject({ code_name: "Hope", characters: 2000, both: 100, only_b: 100 });
  expect(doubt).toMatchObject({ code_name: "Doubt", characters: 2000, only_a: 100, kappa: 0 });
  expect(await chosen({ code_ids: [1] })).toEqual(hope);
  expect(await chosen({ code_ids: [2] })).toEqual(doubt);
  expect(await chosen({ code_ids: [2], coders: ["Eva", "Ben"], source_ids: [2] })).toMatchObject({
    characters: 1000,
    only_a: 100,
  });
});

test("[qualitative.reports.compared] with one coder there is no comparison and no made-up figure", async () => {
  const { call, refusal } = await comparing([["Eva", "Half", 0, 100]]);

  for (const report of ["agreement", "disagreements"]) {
    const answer = await call("get_report", { report });
    expect(answer).toMatchObject({ rows: [], total: 0 });
    expect(answer.notes).toContain("Fewer than two coders");
  }
  expect(await refusal("get_report", { report: "agreement", text: "a" })).toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining("'text'"),
  });
  expect(
    await refusal("get_report", { report: "agreement", coders: ["Eva", "Eve"] }),
  ).toMatchObject({ code: "CODER_NOT_FOUND" });
});

test("[qualitative.reports.disagreements] each passage on which coders differ is listed with its text", async () => {
  const words = "😀 I hoped, and then I waited for long.";
  const { call } = await codedLibrary({
    sources: { Talk: words },
    codes: { Hope: null, Waiting: null },
    codings: [
      { by: "Eva", code: "Hope", source: "Talk", start: 2, end: 9 },
      { by: "Ben", code: "Hope", source: "Talk", start: 4, end: 9 },
      { by: "Eva", code: "Waiting", source: "Talk", start: 20, end: 28 },
      { by: "Ben", code: "Hope", source: "Talk", start: 20, end: 28 },
    ],
  });
  const rows = rowsOf(await call("get_report", { report: "disagreements" }));

  expect(
    rows.map(({ code_name, start_pos, end_pos, kind, coded_by, not_by, text: quoted }) => [
      ...[code_name, start_pos, end_pos, kind],
      ...[coded_by, not_by, quoted],
    ]),
  ).toEqual([
    ["Hope", 2, 4, "edge", "Eva", "Ben", "I "],
    ["Hope", 20, 28, "missed", "Ben", "Eva", "I waited"],
    ["Waiting", 20, 28, "missed", "Eva", "Ben", "I waited"],
  ]);
});

test("[qualitative.reports.human-agent] all people are compared with all agents", async () => {
  const { call, refusal } = await comparing([
    ["Eva", "Half", 0, 60],
    ["Ben", "Half", 40, 100],
    ["AI Agent", "Half", 50, 120],
  ]);
  const agent = { surface: "mcp", client: "Robin" };
  const coding = { code_id: 1, source_id: 1, start_position: 110, end_position: 150 };
  await call("batch_apply_codes", { operations: [coding] }, agent);
  const person = { surface: "cli" };
  const own = { ...coding, start_position: 900, end_position: 1000 };
  await call("batch_apply_codes", { operations: [own] }, person);
  const input = { compare: "human_agent" };
  const [, row] = rowsOf(await call("get_report", { report: "agreement", ...input }));
  const differing = rowsOf(await call("get_report", { report: "disagreements", ...input }));

  expect(row).toMatchObject({
    coder_a: "people",
    coder_b: "agents",
    both: 50,
    only_a: 150,
    only_b: 50,
    kappa: 0.2308,
  });
  expect(
    differing.map(({ start_pos, end_pos, coded_by }) => [start_pos, end_pos, coded_by]),
  ).toEqual([
    [0, 50, "people"],
    [100, 150, "agents"],
    [900, 1000, "people"],
  ]);
  expect(await refusal("get_report", { report: "agreement", compare: "all" })).toMatchObject({
    code: "invalid-argument",
  });
});

test("[qualitative.reports.human-agent] an agent's accepted proposal counts as the agent's", async () => {
  const { call } = await comparing([["Eva", "Half", 0, 100]]);
  const person = { surface: "cli" };
  await call("set_policy", { operation: "batch_apply_codes", tier: "suggest" }, person);
  const coding = { code_id: 1, source_id: 1, start_position: 50, end_position: 150 };
  const { proposal_id } = await call(
    "batch_apply_codes",
    { operations: [coding] },
    { surface: "mcp", client: "Robin" },
  );
  await call("accept_proposal", { id: proposal_id }, person);
  const answer = await call("get_report", { report: "agreement", compare: "human_agent" });

  expect(rowsOf(answer)[1]).toMatchObject({ coder_a: "people", coder_b: "agents", kappa: 0.4444 });
});
