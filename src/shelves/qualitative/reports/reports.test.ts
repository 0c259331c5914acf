import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type CodedContent,
  codedLibrary,
} from "../../../../tests/fixtures/qualitative/coded-project.ts";
import { databaseOf } from "../../../../tests/fixtures/qualitative/project-library.ts";
import { randomNumbers } from "../../../../tests/fixtures/random-numbers.ts";

type Row = Record<string, string | number | null>;

/** Two texts of forty characters; case Ana covers the first and the start of the second. */
const talks: CodedContent = {
  sources: { "Talk 1": "abcd😀fghij".repeat(4), "Talk 2": "klmnopqrst".repeat(4) },
  categories: { Feelings: null, Bright: "Feelings" },
  codes: { Hope: "Bright", Doubt: "Feelings", Place: null, Unused: null },
  codings: [
    { by: "Eva", code: "Hope", source: "Talk 1", start: 0, end: 10, memo: "seen\n#####\nmine" },
    { by: "Ben", code: "Hope", source: "Talk 1", start: 5, end: 15, important: 1 },
    { by: "Eva", code: "Doubt", source: "Talk 1", start: 5, end: 15 },
    { by: "Eva", code: "Place", source: "Talk 1", start: 15, end: 20 },
    { by: "Eva", code: "Hope", source: "Talk 2", start: 8, end: 12 },
    { by: "Secret", code: "Unused", source: "Talk 2", start: 0, end: 40 },
  ],
  cases: { Ana: { "Talk 1": [0, 40], "Talk 2": [0, 10] }, David: { "Talk 2": [10, 40] } },
  attributes: [
    { name: "Age", of: "case", whose: "Ana", value: "9" },
    { name: "Age", of: "case", whose: "David", value: "31" },
    { name: "Town", of: "file", whose: "Talk 2", value: "Besançon" },
  ],
  hidden: ["Secret"],
};

async function reports(content = talks) {
  const library = await codedLibrary(content);
  return {
    ...library,
    db: () => databaseOf(join(library.root, "coded.qda", "data.qda")),
    rows: async (report: string, filters: object = {}) =>
      (await library.call("get_report", { report, ...filters })).rows as Row[],
  };
}

test("[qualitative.reports.frequencies] codes are counted with their sources, coders and characters", async () => {
  const { rows } = await reports();

  expect(await rows("frequencies")).toEqual([
    {
      code_id: 1,
      code_name: "Hope",
      category: "Feelings / Bright",
      count: 3,
      percent: 60,
      sources: 2,
      characters: 19,
      "coder: Ben": 1,
      "coder: Eva": 2,
    },
    expect.objectContaining({ code_name: "Doubt", category: "Feelings", count: 1, characters: 10 }),
    expect.objectContaining({ code_name: "Place", category: null, count: 1, percent: 20 }),
    expect.objectContaining({ code_name: "Unused", count: 0, sources: 0, characters: 0 }),
  ]);
});

test("[qualitative.reports.passages] coded passages are listed in reading order with their text", async () => {
  const { rows } = await reports();
  const [first, ...others] = await rows("passages");

  expect(first).toEqual({
    segment_id: 1,
    source_id: 1,
    source_name: "Talk 1",
    code_id: 1,
    code_name: "Hope",
    coder: "Eva",
    kind: "text",
    start_pos: 0,
    end_pos: 10,
    place: null,
    text: "abcd😀fghij",
    memo: "seen",
    importance: 0,
    cases: "Ana",
    date: "2024-05-01 10:00:00",
  });
  expect(others.map(({ source_id, start_pos, cases }) => [source_id, start_pos, cases])).toEqual([
    [1, 5, "Ana"],
    [1, 5, "Ana"],
    [1, 15, "Ana"],
    [2, 8, "Ana, David"],
  ]);
});

test("[qualitative.reports.filters] filters can be combined", async () => {
  const { rows } = await reports();
  const found = async (filters: object) =>
    (await rows("passages", filters)).map(({ segment_id }) => segment_id);

  expect(await found({ code_ids: ["1"] })).toEqual([1, 2, 5]);
  expect(await found({ category_id: 1 })).toEqual([1, 2, 3, 5]);
  expect(await found({ category_id: 2 })).toEqual([1, 2, 5]);
  expect(await found({ source_ids: [2] })).toEqual([5]);
  expect(await found({ case_ids: [2] })).toEqual([5]);
  expect(await found({ coders: ["Ben"] })).toEqual([2]);
  expect(await found({ important: true })).toEqual([2]);
  expect(await found({ text: "FGHIJ" })).toEqual([1, 2, 3, 4]);
  expect(await found({ where: ["age < 10"] })).toEqual([1, 2, 3, 4, 5]);
  expect(await found({ where: ["Age >= 31"] })).toEqual([5]);
  expect(await found({ where: ["Town = besancon"] })).toEqual([5]);
  expect(await found({ where: ["Town != besancon"] })).toEqual([1, 2, 3, 4]);
  expect(await found({ where: ["Town ="] })).toEqual([1, 2, 3, 4]);
  expect(await found({ where: ["Town < z"] })).toEqual([5]);
  expect(await found({ where: ["Age < 10", "Age > 10"] })).toEqual([5]);
  expect(await found({ coders: ["Eva"], code_ids: [1], source_ids: [1, 2] })).toEqual([1, 5]);
});

test("[qualitative.reports.filters] a value that is not a number is neither above nor below one", async () => {
  const attributes = [{ name: "Age", of: "case", whose: "David", value: "unknown" } as const];
  const { rows } = await reports({ ...talks, attributes });

  for (const where of ["Age > 30", "Age < 30", "Age >= 30", "Age <= 30", "Age = 30"]) {
    expect(await rows("passages", { where: [where] })).toEqual([]);
  }
  expect(await rows("passages", { where: ["Age = Unknown"] })).toHaveLength(1);
});

test("[qualitative.reports.filters] an unknown filter value is reported with its code", async () => {
  const { refusal } = await reports();
  const check = async (filters: object, code: string) =>
    expect(await refusal("get_report", { report: "passages", ...filters })).toMatchObject({ code });

  await check({ code_ids: [99] }, "CODE_NOT_FOUND");
  await check({ source_ids: [99] }, "SOURCE_NOT_FOUND");
  await check({ case_ids: [99] }, "CASE_NOT_FOUND");
  await check({ category_id: 99 }, "CATEGORY_NOT_FOUND");
  await check({ coders: ["Nobody"] }, "CODER_NOT_FOUND");
  await check({ where: ["Height > 3"] }, "ATTRIBUTE_NOT_FOUND");
  await check({ where: ["Age"] }, "invalid-argument");
  await check({ report: "everything" }, "invalid-argument");
});

test("[qualitative.reports.hidden] hidden coders do not appear, not even by name", async () => {
  const { rows, refusal, call } = await reports();

  for (const report of ["frequencies", "passages", "cooccurrence", "case_matrix", "agreement"]) {
    expect(JSON.stringify(await call("get_report", { report }))).not.toContain("Secret");
  }
  expect(await rows("cooccurrence", { source_ids: [2] })).toEqual([]);
  const { code, explanation } = await refusal("get_report", {
    report: "passages",
    coders: ["Secret"],
  });
  expect(code).toBe("CODER_NOT_FOUND");
  expect(explanation).toContain("Known coders: Ben, Eva");
});

test("[qualitative.reports.hidden] the private part of a memo is in no report and no file", async () => {
  const { call } = await reports();

  expect(JSON.stringify(await call("get_report", { report: "passages" }))).not.toContain("mine");
  for (const format of ["csv", "html", "md"]) {
    const { content } = await call("export_report", { report: "passages", as: format });
    expect(content).toContain("seen");
    expect(content).not.toContain("mine");
  }
});

test("[qualitative.reports.cooccurrence] codes with overlapping characters form pairs, once for all coders", async () => {
  const { rows } = await reports();

  expect(await rows("cooccurrence")).toEqual([
    {
      code_a_id: 1,
      code_a_name: "Hope",
      code_b_id: 2,
      code_b_name: "Doubt",
      count: 2,
      exact: 1,
      touching: 0,
      sources: 1,
      characters: 10,
    },
    expect.objectContaining({ code_a_id: 1, code_b_id: 3, count: 0, touching: 1, characters: 0 }),
    expect.objectContaining({ code_a_id: 2, code_b_id: 3, count: 0, touching: 1 }),
  ]);
});

test("[qualitative.reports.cooccurrence] pairs equal those found by comparing all with all", async () => {
  const random = randomNumbers(7);
  const below = (most: number) => Math.floor(random() * most);
  const names = ["A", "B", "C", "D"];
  const codings = Array.from({ length: 150 }, () => {
    const start = below(90);
    return {
      by: ["Eva", "Ben"][below(2)] ?? "",
      code: names[below(4)] ?? "",
      source: ["One", "Two"][below(2)] ?? "",
      start,
      end: start + 1 + below(9),
    };
  });
  const key = (one: object) => JSON.stringify(Object.values(one));
  const distinct = [...new Map(codings.map((one) => [key(one), one])).values()];
  const { rows, db } = await reports({
    sources: { One: "x".repeat(100), Two: "y".repeat(100) },
    codes: Object.fromEntries(names.map((name) => [name, null])),
    codings: distinct,
  });
  const expected = db().all<Row>(
    `WITH passages AS (SELECT DISTINCT cid, fid, pos0, pos1 FROM code_text)
     SELECT a.cid AS code_a_id, b.cid AS code_b_id,
            sum(a.pos0 < b.pos1 AND b.pos0 < a.pos1) AS count,
            sum(a.pos0 = b.pos0 AND a.pos1 = b.pos1) AS exact,
            sum(a.pos0 = b.pos1 OR b.pos0 = a.pos1) AS touching
       FROM passages a JOIN passages b ON b.fid = a.fid AND a.cid < b.cid
      GROUP BY a.cid, b.cid`,
  );
  const found = (await rows("cooccurrence")).map(
    ({ code_a_id, code_b_id, count, exact, touching }) => ({
      ...{ code_a_id, code_b_id },
      ...{ count, exact, touching },
    }),
  );

  expect(expected).toHaveLength(6);
  expect(new Set(found.map(key))).toEqual(new Set(expected.map(key)));
});

test("[qualitative.reports.case-matrix] codes are counted in each case that a passage overlaps", async () => {
  const { rows, call } = await reports();

  expect(await rows("case_matrix")).toEqual([
    { code_id: 2, code_name: "Doubt", total: 1, "case: Ana": 1, "case: David": 0 },
    { code_id: 1, code_name: "Hope", total: 3, "case: Ana": 3, "case: David": 1 },
    { code_id: 3, code_name: "Place", total: 1, "case: Ana": 1, "case: David": 0 },
  ]);
  expect(await rows("case_matrix", { case_ids: [2] })).toEqual([
    { code_id: 1, code_name: "Hope", total: 1, "case: David": 1 },
  ]);
  expect((await call("get_report", { report: "case_matrix" })).notes).not.toContain("in no case");
});

test("[qualitative.reports.document] codes are shown along one text from start to end", async () => {
  const { rows, call, refusal } = await reports();
  const places = await rows("document", { source_ids: [1] });

  expect(
    places.map(({ code_name, from_percent, to_percent }) => [code_name, from_percent, to_percent]),
  ).toEqual([
    ["Hope", 0, 25],
    ["Hope", 12.5, 37.5],
    ["Doubt", 12.5, 37.5],
    ["Place", 37.5, 50],
  ]);
  expect((await call("get_report", { report: "document", source_ids: [1] })).notes).toBe(
    "50 % of 40 characters are coded.",
  );
  expect(await refusal("get_report", { report: "document" })).toMatchObject({
    message: expect.stringContaining("'source_ids'"),
  });
});

test("[qualitative.reports.kinds] codings of images and recordings are counted and listed too", async () => {
  const { rows, db } = await reports();
  const own = db();
  own.exec(`
    INSERT INTO source (name, mediapath) VALUES ('Photo', '/images/a.png'), ('Tape', '/audio/a.mp3');
    INSERT INTO code_image (id, x1, y1, width, height, cid, owner) VALUES (3, 1, 2, 30, 40, 1, 'Eva');
    INSERT INTO code_av (id, pos0, pos1, cid, owner) VALUES (4, 61500, 3723000, 1, 'Eva'), (4, 0, 62000, 2, 'Secret');
    INSERT INTO case_text (caseid, fid, pos0, pos1) VALUES (2, 4, 0, 0);`);

  expect((await rows("frequencies"))[0]).toMatchObject({ count: 5, sources: 4, characters: 19 });
  expect(await rows("passages", { source_ids: [3, 4] })).toMatchObject([
    { kind: "image", place: "30×40 at 1, 2", start_pos: null, text: null, cases: null },
    { kind: "av", place: "0:01:01.500–1:02:03.000", start_pos: 61500, cases: "David" },
  ]);
});

test("[qualitative.reports.pages] long reports are paged and the pages add up to the whole", async () => {
  const { rows, call, refusal } = await reports();
  const whole = await rows("passages");
  const parts: Row[] = [];
  let cursor: unknown;
  do {
    const part = await call("get_report", {
      report: "passages",
      limit: 2,
      ...(cursor ? { cursor } : {}),
    });
    parts.push(...(part.rows as Row[]));
    expect(part.total).toBe(5);
    cursor = part.next_cursor;
  } while (cursor);

  expect(parts).toEqual(whole);
  expect(await refusal("get_report", { report: "passages", cursor: "x" })).toMatchObject({
    code: "invalid-argument",
  });
});

test("[qualitative.reports.old] a project without newer tables and columns has every report", async () => {
  const { rows, db } = await reports();
  const own = db();
  for (const table of ["code_text", "code_image", "code_av", "annotation"]) {
    own.exec(`DROP VIEW ${table}_visible`);
  }
  for (const table of ["code_image", "code_av", "cases", "case_text", "attribute"]) {
    own.exec(`DROP TABLE ${table}`);
  }
  own.exec(`DELETE FROM code_text WHERE owner = 'Secret';
    DROP TABLE coder_names; DROP TABLE attribute_type;
    ALTER TABLE code_text DROP COLUMN important; ALTER TABLE code_name DROP COLUMN supercid;`);

  expect(await rows("frequencies")).toHaveLength(4);
  expect(await rows("passages")).toHaveLength(5);
  expect(await rows("passages", { important: true })).toEqual([]);
  expect(await rows("case_matrix")).toHaveLength(3);
  expect(await rows("cooccurrence")).toHaveLength(3);
  expect(await rows("document", { source_ids: [1] })).toHaveLength(4);
  expect(await rows("agreement", { compare: "human_agent" })).toEqual([]);
  expect(await rows("disagreements")).not.toEqual([]);
});

test("[qualitative.reports.old] codings whose source or code is missing are skipped", async () => {
  const { rows, db } = await reports();
  db().exec(`
    INSERT INTO code_text (cid, fid, seltext, pos0, pos1, owner) VALUES (1, 99, 'x', 0, 1, 'Eva'), (99, 1, 'x', 0, 1, 'Eva');
    INSERT INTO code_text (cid, fid, seltext, pos0, pos1, owner) VALUES (1, 1, 'x', 0, 1, NULL);
    UPDATE code_cat SET supercatid = 2 WHERE catid = 1;`);

  expect(await rows("passages")).toHaveLength(6);
  expect((await rows("passages", { coders: ["unnamed"] })).map(({ coder }) => coder)).toEqual([
    "unnamed",
  ]);
  // Two categories that contain each other.
  expect((await rows("frequencies", { category_id: 1 }))[0]).toMatchObject({
    category: "Feelings / Bright",
  });
});
