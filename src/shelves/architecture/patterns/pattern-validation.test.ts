import { expect, test } from "vitest";
import {
  architectureLibrary,
  patterns,
  smallTree,
} from "../../../../tests/fixtures/architecture/architecture-library.ts";

/** The tool's verdict on code, for a pattern with this front matter and text. */
async function verdict(matter: string, code: string, more: object = {}, body = "# P\n") {
  const text = matter === "" ? body : `---\n${matter}\n---\n${body}`;
  const { tool } = architectureLibrary({ [`${patterns}/p.md`]: text });
  return tool("validate-against-pattern", { code, pattern_name: "p", ...more });
}

const noSql =
  "rules:\n  - name: No SQL\n    must_not: 'sql\\.\\w+'\n    message: Ask the repository.";

test("[architecture.validate.rules] declared rules are checked, and each violation is reported with its line", async () => {
  expect(await verdict(noSql, "a\nsql.Open()\r\nb\rsql.Query()")).toEqual({
    compliant: false,
    verdict: "violated",
    pattern: "p",
    uri: "architecture://patterns/p",
    violations: [2, 4].map((line) => ({
      rule: "No SQL",
      description: "Ask the repository.",
      severity: "error",
      line,
      evidence: "rule",
    })),
    suggestions: [],
    rules_checked: 1,
  });
  expect(await verdict(noSql, "repository.all()")).toMatchObject({
    compliant: true,
    verdict: "compliant",
    violations: [],
  });
});

test("[architecture.validate.must] a missing required element is reported without a line", async () => {
  const rules = "rules:\n  - must: ['interface', '(?i)REPOSITORY']\n    severity: warning";

  expect(await verdict(rules, "interface Repository {}")).toMatchObject({ compliant: true });
  expect(await verdict(rules, "class Repository {}")).toMatchObject({
    compliant: false,
    violations: [{ rule: "Rule 1", description: "Rule 1", severity: "warning", evidence: "rule" }],
  });
});

test("[architecture.validate.languages] a rule for certain languages applies only to these", async () => {
  const rules = `${noSql}\n    languages: [go, TypeScript]`;

  expect(await verdict(rules, "sql.Open()", { language: "Golang" })).toMatchObject({
    compliant: false,
  });
  expect(await verdict(rules, "sql.Open()", { language: "tsx" })).toMatchObject({
    compliant: false,
  });
  expect(await verdict(rules, "sql.Open()", { language: "python" })).toMatchObject({
    compliant: null,
    verdict: "cannot-judge",
  });
  const unsaid = await verdict(rules, "sql.Open()");
  expect(unsaid).toMatchObject({ compliant: null });
  expect(JSON.stringify(unsaid)).toContain("go, typescript");
});

test("[architecture.validate.severity] a violation of severity info does not affect compliance", async () => {
  expect(await verdict(`${noSql}\n    severity: info`, "sql.Open()")).toMatchObject({
    compliant: true,
    violations: [{ severity: "info", line: 1 }],
  });
});

test("[architecture.validate.cannot-judge] without a checkable rule the result is not compliant", async () => {
  for (const matter of [
    "",
    "title: P",
    "rules: none",
    "rules:\n  - name: Empty",
    "rules:\n  - must: '(a)\\1'",
    "rules:\n  - must_not: 'x*'",
    "rules:\n  - must: a\n    severity: dreadful",
  ]) {
    const answer = await verdict(matter, "code");
    expect([matter, answer]).toMatchObject([
      matter,
      { compliant: null, verdict: "cannot-judge", rules_checked: 0 },
    ]);
    expect(JSON.stringify(answer)).toContain("Cannot judge");
  }
  const half = `${noSql}\n  - name: Broken\n    must: '(?=a)'`;
  expect(await verdict(half, "all well")).toMatchObject({ compliant: null, rules_checked: 1 });
  expect(await verdict(half, "sql.x")).toMatchObject({ compliant: false });
  expect(JSON.stringify(await verdict(half, "all well"))).toContain("Broken cannot be checked");
});

test("[architecture.validate.headings] older patterns yield advice and warnings from their headings, but no verdict", async () => {
  const body = [
    "# P",
    "## Implementation",
    "An interface and a concrete type.",
    "## Best Practices",
    "### Keep it small",
    "- One per aggregate",
    "## Common Pitfalls",
    "### Leaky abstraction",
    "### Anemic model",
    "## Else",
    "### No advice",
  ].join("\n\n");
  const answer = await verdict("", "x\nsql.Open()", {}, body);

  expect(answer).toMatchObject({
    compliant: null,
    violations: [
      { rule: "Interface Definition", severity: "warning", evidence: "hint" },
      { rule: "Concrete Implementation", severity: "warning", evidence: "hint" },
      { rule: "Leaky abstraction", severity: "warning", evidence: "hint", line: 2 },
    ],
    suggestions: [
      expect.stringContaining("Cannot judge"),
      "Best practice to look for: Keep it small.",
      "Pitfall to look for: Leaky abstraction.",
      "Pitfall to look for: Anemic model.",
    ],
  });
  expect(await verdict("", "interface A {}\nclass B {}", {}, body)).toMatchObject({
    compliant: null,
    violations: [],
  });
});

test("[architecture.validate.linear] no expression or code can block the server", async () => {
  const rules = "rules:\n  - must_not: '^(a+)+$'\n  - must_not: '(x+x+)+y'";

  expect(await verdict(rules, `${"a".repeat(25_000)}!${"x".repeat(24_000)}`)).toMatchObject({
    compliant: true,
  });
});

test("[architecture.validate.names] a pattern is named by its listed name, last path segment or URI; otherwise the closest name is suggested", async () => {
  const { tool } = architectureLibrary(smallTree);
  const named = (pattern_name: string) =>
    tool("validate-against-pattern", { code: "x", pattern_name });

  for (const name of [
    "data/unit-of-work",
    "unit-of-work",
    "Unit of Work",
    "architecture://patterns/data/unit-of-work",
  ]) {
    expect(await named(name)).toMatchObject({ pattern: "data/unit-of-work" });
  }
  expect(await named("repository-patern")).toMatch(
    /no pattern 'repository-patern'.*\nDid you mean repository-pattern\?/,
  );
  for (const name of ["../adr/001-microservices-architecture", "\u202E", "x".repeat(501), ""]) {
    expect(await named(name)).toEqual(expect.any(String));
  }
});

test("[architecture.validate.limits] the limit is 50,000 characters of code", async () => {
  expect(await verdict(noSql, "𐐷".repeat(50_000))).toMatchObject({ compliant: true });
  expect(await verdict(noSql, "𐐷".repeat(50_001))).toMatch(/'code'/);
});
