import { describe, expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import {
  decisionLibrary,
  decisionShelves,
  record,
} from "../../../../tests/fixtures/architecture/decision-library.ts";
import { parseRecord } from "../../../text/decisions/record.ts";
import { type LintRule, lintRecords, lintRules } from "./lint.ts";
import { createRecordSet } from "./record-set.ts";

const madr =
  "# A\n\n* Status: accepted\n\n## Context and Problem Statement\n\n## Decision Outcome\n";

/** The findings, as `file:line rule`. */
function findings(files: Record<string, string>): string[] {
  const records = Object.entries(files).map(([file, text]) => ({
    ...parseRecord(text, file),
    file,
    folder: file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "",
  }));
  const folders = [...new Set(records.map(({ folder }) => folder))];
  const set = createRecordSet({
    root: "/",
    folders,
    configuredFolder: undefined,
    records,
    unreadable: [],
  });
  return lintRecords(set, { today: "2020-06-01", days: 90 }).map(
    ({ file, line, rule }) => `${file}:${line} ${rule}`,
  );
}

const cases: [rule: LintRule, files: Record<string, string>, expected: string[]][] = [
  ["missing-title", { "0001-a.md": record("").replace("# ", "") }, ["0001-a.md:1 missing-title"]],
  [
    "missing-section",
    { "0001-a.md": "# A\n\n## Status\n\nAccepted\n\n## Context\n", "0002-b.md": madr },
    ["0001-a.md:1 missing-section", "0002-b.md:1 missing-section"],
  ],
  [
    "missing-status",
    { "0001-a.md": record("A").replace("## Status\n\nAccepted\n\n", "") },
    ["0001-a.md:1 missing-status"],
  ],
  [
    "bad-status",
    { "0001-a.md": record("A", "On hold"), "0002-b.md": record("B", "[accepted | rejected]") },
    ["0001-a.md:7 bad-status", "0002-b.md:7 bad-status"],
  ],
  [
    "bad-date",
    { "0001-a.md": record("A").replace("2020-01-01", "soon") },
    ["0001-a.md:1 bad-date"],
  ],
  [
    "bad-name",
    {
      "0001-a_b.md": record("A"),
      "0002-B.md": record("B"),
      "c.md": record("C"),
      "20200101-d.md": record("D"),
    },
    ["0001-a_b.md:1 bad-name", "0002-B.md:1 bad-name", "c.md:1 bad-name"],
  ],
  [
    "duplicate-number",
    { "x/0001-a.md": record("A"), "x/1-b.md": record("B"), "y/0001-c.md": record("C") },
    ["x/1-b.md:1 duplicate-number"],
  ],
  ["other-number", { "0033-a.md": record("3. A") }, ["0033-a.md:1 other-number"]],
  [
    "broken-link",
    {
      "0001-a.md": record("A", "Accepted\n\nAmends [9](0009-gone.md)"),
      "0002-b.md": record("B", "Superseded by ADR-77"),
      "0003-c.md": record("C", "Accepted\n\nClarifies [README](README.md)"),
      "README.md": "# All\n",
    },
    ["0001-a.md:9 broken-link", "0002-b.md:7 no-successor", "0002-b.md:7 broken-link"],
  ],
  [
    "one-way-link",
    {
      "0001-a.md": record("A", "Superseded by [B](0002-b.md)"),
      "0002-b.md": record("B", "Accepted\n\nAmends [C](0003-c.md)"),
      "0003-c.md": record("C", "Accepted\n\nAmended by [B](0002-b.md)"),
    },
    ["0001-a.md:7 one-way-link"],
  ],
  ["no-successor", { "0001-a.md": record("A", "Superseded") }, ["0001-a.md:7 no-successor"]],
  [
    "still-in-force",
    {
      "0001-a.md": record("A"),
      "0002-b.md": record("B", "Accepted\n\nSupersedes [A](0001-a.md)"),
    },
    ["0001-a.md:7 still-in-force", "0002-b.md:9 one-way-link"],
  ],
  [
    "circle",
    {
      "0001-a.md": record("A", "Superseded by [B](0002-b.md)\n\nSupersedes [B](0002-b.md)"),
      "0002-b.md": record("B", "Superseded by [A](0001-a.md)\n\nSupersedes [A](0001-a.md)"),
    },
    ["0001-a.md:1 circle", "0002-b.md:1 circle"],
  ],
  [
    "long-undecided",
    {
      "0001-a.md": record("A", "Proposed"),
      "0002-b.md": record("B", "Pending").replace("2020-01-01", "2020-05-01"),
    },
    ["0001-a.md:7 long-undecided"],
  ],
];

describe("[architecture.decisions.lint] problems are reported with file, line and rule", () => {
  for (const [rule, files, expected] of cases) {
    test(rule, () => {
      expect(findings(files)).toEqual(expected);
    });
  }

  test("every rule has a case", () => {
    const others: LintRule[] = ["unreadable"];

    expect([...cases.map(([rule]) => rule), ...others].sort()).toEqual(
      Object.keys(lintRules).sort(),
    );
  });

  test("a record of one format does not need the sections of another", () => {
    const ownForm =
      "# A\n\n## Issue\n\nx\n\n## Decision\n\nx\n\n## Status\n\nAccepted\n\n## Implications\n\nx\n";
    const german =
      "# B\n\n## Status\n\nAccepted\n\n## Kontext\n\nx\n\n## Entscheidung\n\nx\n\n## Folgen\n\nx\n";
    const sentence = "# C\n\nStatus: accepted\n\nIn the context of x we decided y to reach z.\n";
    const own = { "0001-a.md": ownForm, "0002-b.md": german, "0003-c.md": sentence };
    expect(findings(own)).toEqual([]);
    expect(
      findings({
        "0001-a.md": ownForm,
        "0002-b.md": record("B"),
        "0003-c.md": record("C"),
      }),
    ).toEqual(["0001-a.md:1 missing-section"]);
  });

  test("valid records have no findings, in any format", () => {
    expect(
      findings({
        "0001-a.md": record("1. A", "Superseded by [2. B](0002-b.md)"),
        "0002-b.md": record("2. B", "Accepted\n\nSupersedes [1. A](0001-a.md)"),
        "0003-c.md": madr.replace("## Decision", "## Considered Options\n\n## Decision"),
        "template.md": "# [title]\n\n* Status: [proposed | accepted]\n",
      }),
    ).toEqual([]);
  });
});

test("[architecture.decisions.lint-exit] the command fails if and only if there are errors", async () => {
  const { library, write } = decisionLibrary({
    "docs/adr/0001-a.md": record("1. A", "Proposed"),
  });
  const { shell, request } = clientsOf(library, decisionShelves);
  const warned = await shell("adr", "lint");
  expect(warned.code).toBe(0);
  expect(warned.out).toMatch(/^docs\/adr\/0001-a\.md:7: warning long-undecided .*\n0 errors, 1 w/);
  expect((await shell("adr", "lint", "--days", "10000")).out).toBe("0 errors, 0 warnings\n");

  write("docs/adr/0001-b.md", record("1. B"));
  const failed = await shell("adr", "lint", "--json");
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.out)).toContainEqual(
    expect.objectContaining({ rule: "duplicate-number", severity: "error" }),
  );
  expect(await request("GET", "/adr/lint?days=10000")).toMatchObject({
    status: 200,
    body: { errors: 1, warnings: 0 },
  });
});
