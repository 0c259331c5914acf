import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { headingNumber, parseRecord, stripNumbering } from "./record.ts";
import { setStatus } from "./record-edits.ts";
import { allowedNextStatuses, parseStatus } from "./status.ts";

const nygard = `# 3. Keep the lamp lit

Date: 2017-06-30

## Status

Accepted

Amends [2. Buy a lamp](0002-buy-a-lamp.md)

## Context

It is dark.

## Decision

The lamp stays lit.

## Consequences

Oil is used.
`;

const madrSections = `## Context and Problem Statement

It is dark.

## Considered Options

* Lamp
* Candle

## Decision Outcome

Chosen option: "Lamp", because it is brighter.
`;

const forms: [form: string, text: string, file: string, expected: object][] = [
  [
    "Nygard",
    nygard,
    "0003-keep-the-lamp-lit.md",
    {
      kind: "adr",
      format: "nygard",
      number: 3,
      title: "Keep the lamp lit",
      titleRaw: "3. Keep the lamp lit",
      status: "accepted",
      statusRaw: "Accepted",
      statusFrom: "section",
      date: "2017-06-30",
      dateRaw: "2017-06-30",
      links: [{ verb: "Amends", relation: "amends", href: "0002-buy-a-lamp.md", line: 9 }],
    },
  ],
  [
    "MADR 2",
    `# Keep the lamp lit\n\n* Status: [accepted] <!-- optional -->\n* Deciders: [Ada, @grace]\n* Date: [2023-03-01]\n\n${madrSections}\n## Links\n\n* Refined by [ADR-0005](0005-oil.md)\n* [The lamp's maker](https://lamps.example)\n`,
    "docs/decisions/0004-lamp.md",
    {
      kind: "adr",
      format: "madr",
      number: 4,
      title: "Keep the lamp lit",
      status: "accepted",
      statusRaw: "[accepted]",
      statusFrom: "inline",
      date: "2023-03-01",
      dateRaw: "[2023-03-01]",
      deciders: ["Ada", "@grace"],
      links: [{ verb: "Refined by", relation: "other", href: "0005-oil.md" }],
    },
  ],
  [
    "MADR 3",
    `---\nstatus: superseded by [ADR-0005](0005-oil.md)\ndate: 2022-05-27\ndeciders: Ada, Grace\n---\n# 1. Keep the lamp lit\n\n${madrSections}`,
    "0001-lamp.md",
    {
      format: "madr-frontmatter",
      number: 1,
      title: "Keep the lamp lit",
      status: "superseded",
      statusFrom: "frontmatter",
      date: "2022-05-27",
      deciders: ["Ada", "Grace"],
      links: [{ verb: "superseded by", relation: "superseded by", href: "0005-oil.md", line: 2 }],
    },
  ],
  [
    "MADR 4",
    `---\nstatus: "superseded by ADR-0123"\ndate: '2024-02-29'\ndecision-makers: [Ada, Grace]\nconsulted: Linus\n---\n\n# Keep the lamp lit\n\n${madrSections}\n### Consequences\n\n* Good, because it is light\n`,
    "0001-lamp.md",
    {
      format: "madr-frontmatter",
      status: "superseded",
      statusRaw: "superseded by ADR-0123",
      date: "2024-02-29",
      deciders: ["Ada", "Grace"],
      links: [{ relation: "superseded by", href: null, text: "ADR-0123" }],
    },
  ],
  [
    "MADR 4 without a status",
    `---\nparent: Decisions\nnav_order: 8\n---\n# Keep the lamp lit\n\n${madrSections}`,
    "0008-lamp.md",
    { format: "madr", status: null, statusRaw: null, statusFrom: null, date: null },
  ],
  [
    "log4brains",
    `# Keep the lamp lit\n\n- Status: draft\n- Tags: light\n\n${madrSections}\n## Links\n\n- Supersedes [20200926-candles](20200926-candles.md)\n`,
    "20201016-keep-the-lamp-lit.md",
    {
      number: null,
      status: "proposed",
      date: "2020-10-16",
      dateRaw: null,
      links: [{ verb: "Supersedes", relation: "supersedes", href: "20200926-candles.md" }],
    },
  ],
  [
    "bullets with a table of deciders",
    `# Keep the lamp lit\n\n* **Date**: 1 March 2023\n* **Status**: Deciding\n\n**Deciders**\n\n| Full Name | Role | RACI |\n|---|---|---|\n| Ada | lead | A |\n| Grace | admiral | R |\n\n${madrSections}`,
    "007-lamp.md",
    { format: "madr", status: "proposed", date: "2023-03-01", deciders: ["Ada", "Grace"] },
  ],
  [
    "the founding document's own",
    "# Microservices\n\n## Status\nAccepted\n\n## Context\nA.\n\n## Decision\nB.\n\n## Consequences\nC.\n",
    "001-microservices-architecture.md",
    { format: "nygard", number: 1, title: "Microservices", status: "accepted" },
  ],
  [
    "a table under the title",
    "# Lamp\n\n| Field | Value |\n|---|---|\n| Status | Rejected |\n| Date | 2020-01-02 |\n\n## Context\n\nA.\n",
    "1-lamp.md",
    { format: "other", number: 1, status: "rejected", statusFrom: "inline", date: "2020-01-02" },
  ],
  [
    "underlined headings",
    "1. Lamp\n=======\n\nStatus\n------\n\nSupersedes nothing\n",
    "adr_0001.md",
    { number: 1, statusRaw: "Supersedes nothing", status: "other" },
  ],
];

describe("[architecture.decisions.forms] every format is parsed into one model", () => {
  for (const [form, text, file, expected] of forms) {
    test(form, () => {
      expect(parseRecord(text, file)).toMatchObject(expected);
    });
  }

  test("with Windows line ends and a byte order mark", () => {
    const windows = `\uFEFF${nygard.replaceAll("\n", "\r\n")}`;

    expect(parseRecord(windows, "0003-lamp.md")).toEqual(parseRecord(nygard, "0003-lamp.md"));
  });

  test("sections are the second-level headings, with their lines", () => {
    expect(parseRecord(nygard, "0003-lamp.md").sections).toEqual([
      { title: "Status", line: 5, endLine: 10 },
      { title: "Context", line: 11, endLine: 14 },
      { title: "Decision", line: 15, endLine: 18 },
      { title: "Consequences", line: 19, endLine: 22 },
    ]);
  });
});

describe("[architecture.decisions.odd] malformed records are read as far as possible", () => {
  test("code and comments are ignored", () => {
    const text =
      "# Lamp\n\n<!--\n## Status\n\nRejected\n-->\n\n```md\n## Status\n\nDeprecated\n```\n\n## Status <!-- as of today -->\n\n<!-- proposed, accepted -->\nAccepted\n";
    const { status, sections } = parseRecord(text, "1-lamp.md");

    expect([status, sections.map(({ title }) => title)]).toEqual(["accepted", ["Status"]]);
  });

  test("an unclosed comment hides nothing", () => {
    expect(parseRecord("# Lamp\n\n<!-- open\n\n## Status\n\nAccepted\n", "1-a.md").status).toBe(
      "accepted",
    );
  });

  test("a file without a heading is named by its front matter or file name", () => {
    expect(parseRecord("---\ntitle: Lamp\n---\n", "0001-x.md").title).toBe("Lamp");
    expect(parseRecord("", "0001-keep-the-lamp.md")).toMatchObject({
      kind: "adr",
      title: "keep the lamp",
      titleRaw: null,
      sections: [],
      links: [],
    });
  });

  test("templates and pages about records are distinguished from records", () => {
    const kinds = Object.fromEntries(
      [
        "template.md",
        "adr-template-bare-minimal.md",
        "0000-template.md",
        "005-use-a-template.md",
        "014-project-templates.md",
        "README.md",
        "index.md",
        "notes.md",
      ].map((file) => [file, parseRecord("# Title\n", file).kind]),
    );

    expect(kinds).toEqual({
      "template.md": "template",
      "adr-template-bare-minimal.md": "template",
      "0000-template.md": "template",
      "005-use-a-template.md": "adr",
      "014-project-templates.md": "adr",
      "README.md": "index",
      "index.md": "index",
      "notes.md": "index",
    });
    expect(parseRecord("# {short title}\n", "anything.md").kind).toBe("template");
    expect(parseRecord("# Lamp\n\nStatus: accepted\n", "lamp.md").kind).toBe("adr");
  });

  test("numbers are parsed from many kinds of names, and dates are not numbers", () => {
    const numbers = ["0012-x.md", "ADR-012_x.md", "adr012.md", "12.md", "12 x.md", "a/0008-x.md"];
    expect(numbers.map((file) => parseRecord("", file).number)).toEqual([12, 12, 12, 12, 12, 8]);
    const none = ["20200924-x.md", "2020-09-24-x.md", "2fa.md", "1234567890123-x.md", "x-12.md"];
    expect(none.map((file) => parseRecord("", file).number)).toEqual(none.map(() => null));
  });
});

describe("[architecture.decisions.words] statuses, dates and titles are parsed in their common spellings", () => {
  test("statuses", () => {
    const read = (written: string) => parseStatus(written);

    expect(["Accepted", "APPROVED", "**Adopted**", "✅ accepted by the board"].map(read)).toEqual(
      Array(4).fill("accepted"),
    );
    expect(["Pending", "draft", "In review", "under discussion"].map(read)).toEqual(
      Array(4).fill("proposed"),
    );
    expect(["Superceded by 3", "Partly superseded", "Accepted, superseded by 4"].map(read)).toEqual(
      Array(3).fill("superseded"),
    );
    expect(read("Accepted, supersedes [superseded things](0001-x.md)")).toBe("accepted");
    expect(["on hold", "not accepted", "augmented by [ADR-4](4.md)"].map(read)).toEqual(
      Array(3).fill("other"),
    );
    expect(["Akzeptiert", "acceptée", "Accepte\u0301", "Aprobada"].map(read)).toEqual(
      Array(4).fill("accepted"),
    );
    expect(["Vorgeschlagen", "Abgelehnt", "obsolète", "Sustituida por 3"].map(read)).toEqual([
      "proposed",
      "rejected",
      "deprecated",
      "superseded",
    ]);
    expect(["nicht akzeptiert", "no aceptada", "pas acceptée", "Ersetzt 3"].map(read)).toEqual(
      Array(4).fill("other"),
    );
    expect(["", " — ", "[proposed | accepted]"].map(read)).toEqual([null, null, null]);
    expect(parseStatus(null)).toBe(null);
  });

  test("localized status names, which keep their language when changed", () => {
    for (const text of ["# A\n\n- Statut : Accepté\n", "# A\n\n## Estado\n\nAceptado\n"]) {
      expect(parseRecord(text, "1-a.md").status).toBe("accepted");
      expect(setStatus(text, "deprecated")).toBe(text.replace(/\p{L}+\n$/u, "Deprecated\n"));
    }
  });

  test("dates", () => {
    const dated = (written: string) => parseRecord(`# A\n\nDate: ${written}\n`, "1-a.md").date;

    expect(
      ["2020-02-29", "2020/2/29", "29 Feb 2020", "February 29th, 2020", "29.2.2020"].map(dated),
    ).toEqual(Array(5).fill("2020-02-29"));
    expect(["2021-02-29", "02/03/2020", "soon", "[YYYY-MM-DD]"].map(dated)).toEqual(
      Array(4).fill(null),
    );
  });

  test("titles", () => {
    const stripped = ["1. Lamp", "0001 Lamp", "ADR-1: Lamp", "ADR 12 - Lamp", "ADR: Lamp"];
    expect(stripped.map(stripNumbering)).toEqual(stripped.map(() => "Lamp"));
    expect(stripNumbering("Architecture Decision Record: Lamp")).toBe("Lamp");
    const kept = ["3 lamps", "2FA", "ADR-tools for all", "12.", "Decision making"];
    expect(kept.map(stripNumbering)).toEqual(kept);
    expect(["ADR-012: Lamp", "3. Lamp", "3 lamps"].map(headingNumber)).toEqual([12, 3, null]);
  });

  test("a superseded status is final, and any unknown word can be corrected", () => {
    expect(allowedNextStatuses("superseded")).toEqual([]);
    expect(allowedNextStatuses("accepted")).toEqual(["deprecated", "superseded"]);
    expect(allowedNextStatuses("other")).toContain("accepted");
    expect(allowedNextStatuses(null)).toContain("proposed");
  });
});

describe("[architecture.decisions.links] links between records are parsed with verb and target", () => {
  const linksIn = (text: string) =>
    parseRecord(text, "0009-x.md").links.map(({ verb, relation, partial, text, href }) => [
      verb,
      relation,
      partial,
      href ?? text,
    ]);

  test("in the status section, with any verb and the spelling with c", () => {
    const status =
      "# X\n\n## Status\n\nAccepted\n\nSupercedes [1. A](0001-a.md)\n\nSuperceded by [2. B](0002-b.md)\n\nClarifies [3. C](0003-c.md), [4. D](0004-d.md) and [5. E](0005-e.md)\n";

    expect(linksIn(status)).toEqual([
      ["Supercedes", "supersedes", false, "0001-a.md"],
      ["Superceded by", "superseded by", false, "0002-b.md"],
      ["Clarifies", "other", false, "0003-c.md"],
      ["Clarifies", "other", false, "0004-d.md"],
      ["Clarifies", "other", false, "0005-e.md"],
    ]);
  });

  test.each([
    ["Superseded by [ADR-12](adr-12)", "ADR-12"],
    ["Superseded by [ADR-12](#twelve)", "ADR-12"],
    ["Superseded by [12](0012-x.html)", "12"],
    ["Superseded by ADR-12 (see [our notes](notes))", "ADR-12"],
    ["Superseded by [the new one](wiki/New)", undefined],
    ["Superseded by ](", undefined],
  ])("by its words where the link leads to no Markdown: %s", (status, name) => {
    const found = name === undefined ? [] : [[expect.any(String), "superseded by", false, name]];
    const key = status.replace("Superseded by", "superseded-by:");
    for (const text of [
      `# X\n\n## Status\n\n${status}\n`,
      `---\nstatus: ${status}\n---\n# X\n`,
      `---\n${key}\n---\n# X\n`,
      `# X\n\n${status}\n`,
    ]) {
      expect([text, linksIn(text)]).toEqual([text, found]);
    }
  });

  test("in the front matter, as names or numbers", () => {
    const text = "---\nsupersedes: [1, 0002-b.md]\nsuperseded-by: ADR-3\namends: 4\n---\n# X\n";

    expect(linksIn(text)).toEqual([
      ["supersedes", "supersedes", false, "1"],
      ["supersedes", "supersedes", false, "0002-b.md"],
      ["superseded by", "superseded by", false, "ADR-3"],
      ["amends", "amends", false, "4"],
    ]);
  });

  test("in lines below the title", () => {
    const text = "# X\n\n- Supersedes: ADR-1 and ADR-2\n- Amended by [3](0003-c.md)\n";

    expect(linksIn(text)).toEqual([
      ["Supersedes", "supersedes", false, "ADR-1"],
      ["Supersedes", "supersedes", false, "ADR-2"],
      ["Amended by", "amended by", false, "0003-c.md"],
    ]);
  });

  test("in sentences about this record, and no others", () => {
    const text =
      "# X\n\nNote: this ADR supersedes some aspects of [ADR-1](a.md) and [ADR-2](b.md).\n\n## Context\n\n**These ranges have been superseded by [ADR 3](c.md).** This decision supersedes [four](d.md). See also [five](e.md).\n\nADR 6 was superseded by [ADR 7](g.md).\n";

    expect(linksIn(text)).toEqual([
      ["supersedes", "supersedes", true, "a.md"],
      ["supersedes", "supersedes", true, "b.md"],
      ["superseded by", "superseded by", true, "c.md"],
      ["supersedes", "supersedes", false, "d.md"],
    ]);
  });

  test("a URL or an anchor is not a record, unless the verb says so", () => {
    const text =
      "# X\n\n## Status\n\nAccepted at [the meeting](https://a.example/1.md)\n\nSuperseded by [2](https://git.example/adr/0002-b.md)\n\nSee [below](#more)\n";

    expect(linksIn(text)).toEqual([
      ["Superseded by", "superseded by", false, "https://git.example/adr/0002-b.md"],
    ]);
  });
});

test("[architecture.decisions.hostile-text] text of any size and with any characters is read without an exception", () => {
  const size = 300_000;
  const hostile = [
    "[".repeat(size),
    "](".repeat(size / 2),
    "[a](b".repeat(size / 5),
    "## Status\n".repeat(size / 10),
    "```\n".repeat(size / 4),
    "<!--".repeat(size / 4),
    "<!--\n".repeat(size / 5),
    "supersedes ".repeat(size / 11),
    "this ".repeat(size / 5),
    `---\n${"status: [\n".repeat(size / 10)}---\n`,
    `---\n${"a".repeat(size)}`,
    `# ${"1. ".repeat(size / 3)}`,
    `${"* Status:".repeat(size / 9)}\n`,
    `${"| Status ".repeat(size / 9)}\n`,
    `${"**".repeat(size / 2)}\n`,
    "\u0000\u202e\ufeff\ud800\u2028".repeat(size / 5),
    `## Status\n\n${" ".repeat(size)}x`,
    `Date: ${"1".repeat(size)}`,
    `Deciders: ${",".repeat(size)}`,
    "\r".repeat(size),
  ];

  for (const text of hostile) {
    for (const file of ["0001-x.md", "", "/", `${"a".repeat(5_000)}.md`, "\u202e.md"]) {
      expect(parseRecord(text, file).kind).toMatch(/^(adr|template|index)$/);
    }
  }
});

const data = fileURLToPath(new URL("../../../../shared/data/adr/", import.meta.url));
const isThere = existsSync(`${data}expected.jsonl`);

interface Expected {
  file: string;
  [field: string]: unknown;
}

/** The parsed records of real projects, or those of this file if they are missing. */
const expectations: Expected[] = isThere
  ? readFileSync(`${data}expected.jsonl`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

describe(`[architecture.decisions.real] real records (${isThere ? "../shared/data/adr" : "not there, only our own"})`, () => {
  test("there are as many as in the data, or none", () => {
    expect(expectations.length).toBe(isThere ? 112 : 0);
  });

  for (const { file, ...expected } of expectations) {
    test(file, () => {
      const record = parseRecord(readFileSync(data + file, "utf8"), file);

      expect({
        kind: record.kind,
        format: record.format,
        number: record.number,
        title: record.title,
        title_raw: record.titleRaw,
        status_raw: record.statusRaw,
        status: record.status,
        status_from: record.statusFrom,
        date: record.date,
        date_raw: record.dateRaw,
        sections: record.sections.map(({ title }) => title),
      }).toEqual(expected);
    });
  }
});
