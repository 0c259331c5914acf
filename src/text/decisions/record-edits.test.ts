import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../edits/diff.ts";
import { parseRecord } from "./record.ts";
import { addRecordLink, setDate, setHeading, setSectionText, setStatus } from "./record-edits.ts";
import {
  defaultRecordStyle,
  detectRecordStyle,
  newRecordText,
  recordFileName,
} from "./record-template.ts";

const nygard =
  "# 1. Lamp\n\nDate: 2020-01-01\n\n## Status\n\nProposed\n\n## Context\n\nDark.\n\n## Decision\n\nLit.\n\n## Consequences\n\nOil.\n";

const statuses: [form: string, before: string, after: string][] = [
  ["a section", nygard, nygard.replace("Proposed", "Accepted")],
  ["a section in capitals", "## Status\n\nPROPOSED\n", "## Status\n\nACCEPTED\n"],
  [
    "front matter",
    "---\na: 1\nstatus: proposed\n---\n# L\n",
    "---\na: 1\nstatus: accepted\n---\n# L\n",
  ],
  ["quotes", '---\nstatus: "proposed"\n---\n', "---\nstatus: accepted\n---\n"],
  [
    "a list with a remark",
    "# L\n\n* Status: [proposed] <!-- optional -->\n* Date: x\n",
    "# L\n\n* Status: accepted <!-- optional -->\n* Date: x\n",
  ],
  ["strong words", "# L\n\n**Status:** Proposed\n", "# L\n\n**Status:** Accepted\n"],
  ["a table", "# L\n\n| Status | Proposed | x |\n", "# L\n\n| Status | Accepted | x |\n"],
  [
    "another's name",
    "# L\n\n* Status: augmented by [ADR-4](4.md)\n",
    "# L\n\n* Status: accepted, augmented by [ADR-4](4.md)\n",
  ],
  [
    "a section that only names another",
    "# L\n\n## Status\n\nAugments [4](4.md)\n",
    "# L\n\n## Status\n\nAccepted\n\nAugments [4](4.md)\n",
  ],
  [
    "an empty section",
    "# L\n\n## Status\n\n## Context\n",
    "# L\n\n## Status\n\nAccepted\n\n## Context\n",
  ],
  ["an empty key", "---\nstatus:\n---\n# L\n", "---\nstatus: accepted\n---\n# L\n"],
  ["an empty line", "# L\n\n* Status:\n", "# L\n\n* Status: accepted\n"],
  [
    "nothing, with front matter",
    "---\na: 1\n---\n# L\n",
    "---\na: 1\nstatus: accepted\n---\n# L\n",
  ],
  [
    "nothing, in MADR",
    "# L\n\n## Context and Problem Statement\n",
    "# L\n\n* Status: accepted\n\n## Context and Problem Statement\n",
  ],
  [
    "nothing",
    "# L\n\nText.\n\n## Context\n",
    "# L\n\nText.\n\n## Status\n\nAccepted\n\n## Context\n",
  ],
];

describe("[architecture.decisions.own-form] a status is changed in the record's own format, and nothing else is changed", () => {
  for (const [form, before, after] of statuses) {
    test(`in ${form}`, () => {
      expect(setStatus(before, "accepted")).toBe(after);
      expect(parseRecord(after, "0001-l.md").status).toBe("accepted");
    });

    test(`in ${form}, with Windows' line ends and a byte order mark`, () => {
      const windows = (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`;

      expect(setStatus(windows(before), "accepted")).toBe(windows(after));
    });
  }

  test("mixed line ends and a missing final newline are kept", () => {
    expect(setStatus("# L\r\n\n## Status\r\nProposed\n\rEnd", "accepted")).toBe(
      "# L\r\n\n## Status\r\nAccepted\n\rEnd",
    );
  });

  test("a value that YAML would misread is quoted", () => {
    const after = setStatus("---\nstatus: proposed\n---\n", "superseded by [a: b](c.md)");

    expect(after).toBe('---\nstatus: "superseded by [a: b](c.md)"\n---\n');
    expect(parseRecord(after, "1-a.md").links).toMatchObject([{ href: "c.md" }]);
  });

  test("a date is set only if there is one", () => {
    expect(setDate(nygard, "2021-01-01")).toBe(nygard.replace("2020", "2021"));
    expect(setDate("# L\n", "2021-01-01")).toBe("# L\n");
  });

  test("a heading is set, underlined or missing", () => {
    expect(setHeading(nygard, "2. Oil")).toBe(nygard.replace("1. Lamp", "2. Oil"));
    expect(setHeading("Lamp\n====\n\nText\n", "Oil")).toBe("# Oil\n\nText\n");
    expect(setHeading("---\na: 1\n---\nText\n", "Oil")).toBe("---\na: 1\n---\n# Oil\n\nText\n");
  });
});

describe("[architecture.decisions.link-places] a new link is added where the record has its links", () => {
  const cases: [place: string, before: string, after: string][] = [
    [
      "a list",
      "# L\n\n## Links\n\n- A [b](b.md)\n\n## X\n",
      "# L\n\n## Links\n\n- A [b](b.md)\n- Amends [c](c.md)\n\n## X\n",
    ],
    ["the status", nygard, nygard.replace("Proposed\n", "Proposed\n\nAmends [c](c.md)\n")],
    [
      "more information",
      "# L\n\n* Status: x\n\n## More Information\n\nText.\n",
      "# L\n\n* Status: x\n\n## More Information\n\nText.\n\n* Amends [c](c.md)\n",
    ],
    [
      "a new list",
      "# L\n\n- a\n\n## X\n\nText.\n",
      "# L\n\n- a\n\n## X\n\nText.\n\n## Links\n\n- Amends [c](c.md)\n",
    ],
    [
      "a text without a last line end",
      "# L\n\nText.",
      "# L\n\nText.\n\n## Links\n\n* Amends [c](c.md)",
    ],
  ];
  for (const [place, before, after] of cases) {
    test(place, () => {
      expect(addRecordLink(before, "amends", "[c](c.md)")).toBe(after);
      expect(parseRecord(after, "0001-l.md").links).toContainEqual(
        expect.objectContaining({ verb: "Amends", href: "c.md" }),
      );
    });
  }
});

const data = fileURLToPath(new URL("../../../../shared/data/adr/", import.meta.url));
const isThere = existsSync(data);

/** Real records, or the one of this file if they are missing. */
const texts: [file: string, text: string][] = isThere
  ? readdirSync(data, { recursive: true, encoding: "utf8" })
      .filter((file) => /\d.*\.md$/.test(file))
      .map((file) => [file, readFileSync(data + file, "utf8")])
  : [["0001-lamp.md", nygard]];

test(`[architecture.decisions.own-form] every real record accepts a status and a link, and is otherwise unchanged (${isThere ? "../shared/data/adr" : "not there, only our own"})`, () => {
  for (const [file, text] of texts) {
    for (const written of [text, text.replace(/\r?\n/g, "\r\n"), `\uFEFF${text}`]) {
      const before = parseRecord(written, file);
      if (before.kind !== "adr") continue;
      const after = addRecordLink(setStatus(written, "deprecated"), "clarifies", "[X](9999-x.md)");
      const { status, links, title, date, deciders } = parseRecord(after, file);

      expect([file, status, title, date, deciders]).toEqual([
        file,
        "deprecated",
        before.title,
        before.date,
        before.deciders,
      ]);
      expect(links).toContainEqual(
        expect.objectContaining({ verb: "Clarifies", href: "9999-x.md" }),
      );
      const old = written.split("\n");
      const gone = old.filter((line) => !after.split("\n").includes(line));
      expect([file, gone.length]).toEqual([
        file,
        before.statusRaw === null ? 0 : expect.toSatisfy((count: number) => count <= 1),
      ]);
    }
  }
});

/** The number of lines that an edit deletes. */
const missing = (before: string, after: string): number =>
  unifiedDiff("a.md", before.replace(/^\uFEFF/, ""), after.replace(/^\uFEFF/, ""))
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith("-")).length;

test("[architecture.decisions.own-form] for any file content, an edit removes one line at most", () => {
  const pieces = [
    ...[
      "# T",
      "T",
      "===",
      "---",
      "...",
      "",
      "",
      "## Status",
      "### Status",
      "Status:",
      "* Status: x",
    ],
    ...["**Status**: ok <!-- c -->", "status: proposed", "> Status: [a](b.md)", "| Status | x |"],
    ...["Accepted", "Superseded by [1](0001-a.md)", "## Context", "## Links", "- item", "```"],
    ...["<!--", "-->", "    code", "\t", "#", "\u202e", "\0"],
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("", "\uFEFF"),
      (lines, end, mark) => {
        const text = mark + lines.join(end);
        const stated = setStatus(text, "accepted");
        expect([stated.startsWith("\uFEFF"), missing(text, stated) <= 1]).toEqual([
          mark !== "",
          true,
        ]);
        expect(missing(text, addRecordLink(text, "Amends", "[c](c.md)"))).toBe(0);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("the text of a section is replaced up to the next heading", () => {
  expect(setSectionText(nygard, /^context$/i, "One.\nTwo.")).toBe(
    nygard.replace("Dark.", "One.\nTwo."),
  );
  expect(setSectionText(nygard, /^consequences$/i, "None.")).toBe(nygard.replace("Oil.", "None."));
  expect(setSectionText(nygard, /^missing$/i, "x")).toBeUndefined();
});

describe("[architecture.decisions.neighbor-format] a new record follows the format of its neighbors", () => {
  const fresh = { title: "Use Oil & Wick!", number: 12, status: "proposed", date: "2024-05-06" };
  const named = (text: string, ...files: string[]) => {
    const manner = detectRecordStyle(files.map((file) => parseRecord(text, file)));
    return [recordFileName(manner, fresh), newRecordText(manner, fresh)];
  };

  test("in the founding document's format, if there are none", () => {
    const text = newRecordText(defaultRecordStyle, fresh);

    expect(recordFileName(defaultRecordStyle, fresh)).toBe("012-use-oil-wick.md");
    expect(parseRecord(text, "012-use-oil-wick.md")).toMatchObject({
      format: "nygard",
      title: "Use Oil & Wick!",
      titleRaw: "Use Oil & Wick!",
      status: "proposed",
      date: "2024-05-06",
    });
  });

  test("with their digits, prefix and numbering", () => {
    const [name, text = ""] = named(nygard, "0010-a.md", "0011-b.md");
    expect([name, text.split("\n")[0]]).toEqual(["0012-use-oil-wick.md", "# 12. Use Oil & Wick!"]);
    const titled = nygard.replace("1. Lamp", "ADR-001: Lamp");
    const [other, words = ""] = named(titled, "adr-001-a.md", "adr-002-b.md");
    expect([other, words.split("\n")[0]]).toEqual([
      "adr-012-use-oil-wick.md",
      "# ADR-012: Use Oil & Wick!",
    ]);
  });

  test("by date, if their names are dates", () => {
    expect(named("# L\n", "20200101-a.md", "20200102-b.md")[0]).toBe("20240506-use-oil-wick.md");
  });

  test("in MADR with a list or front matter", () => {
    const madr = "# L\n\n* Status: accepted\n\n## Context and Problem Statement\n";
    expect(parseRecord(named(madr, "0001-a.md")[1] ?? "", "0012-x.md")).toMatchObject({
      format: "madr",
      statusFrom: "inline",
      date: "2024-05-06",
    });
    const matter = "---\nstatus: accepted\n---\n# L\n\n## Decision Outcome\n";
    expect(parseRecord(named(matter, "0001-a.md")[1] ?? "", "0012-x.md")).toMatchObject({
      format: "madr-frontmatter",
      statusFrom: "frontmatter",
    });
  });

  test("from the folder's own template, with the given text", () => {
    const template =
      "# [short title]\n\n- Status: [proposed | accepted] <!-- optional -->\n- Date: [YYYY-MM-DD]\n\n## Context and Problem Statement\n\n[Describe]\n\n## Decision Outcome\n\n[Chosen]\n\n### Consequences\n\n- [Good]\n\n## Links\n";
    const text = newRecordText(
      defaultRecordStyle,
      { ...fresh, context: "It is dark.", decision: "A lamp.", consequences: "- Oil" },
      template,
    );

    expect(text).toBe(
      "# Use Oil & Wick!\n\n- Status: proposed <!-- optional -->\n- Date: 2024-05-06\n\n## Context and Problem Statement\n\nIt is dark.\n\n## Decision Outcome\n\nA lamp.\n\n### Consequences\n\n- Oil\n\n## Links\n",
    );
  });

  test("text without a section gets one", () => {
    expect(newRecordText(defaultRecordStyle, { ...fresh, decision: "A lamp." }, "# T\n")).toContain(
      "## Decision\n\nA lamp.\n",
    );
  });

  test("any title makes a valid file name", () => {
    const nameOf = (title: string) => recordFileName(defaultRecordStyle, { ...fresh, title });

    expect(nameOf("Größe & Maß: Über-alles")).toBe("012-grosse-mass-uber-alles.md");
    expect(nameOf("使用 灯")).toBe("012-使用-灯.md");
    expect(nameOf("../../etc/passwd")).toBe("012-etc-passwd.md");
    expect(nameOf("***")).toBe("012-decision.md");
    expect(nameOf("word ".repeat(100)).length).toBeLessThan(100);
  });
});
