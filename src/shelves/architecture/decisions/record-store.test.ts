import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import {
  decisionLibrary,
  decisionShelves,
  record,
} from "../../../../tests/fixtures/architecture/decision-library.ts";
import { Failure } from "../../../kernel/failure.ts";

/** The listed files, or the error message. */
async function filesOf(files: Record<string, string>): Promise<unknown> {
  const { call } = decisionLibrary(files);
  return listedFiles(await call("list_decisions"));
}

function listedFiles(answer: Record<string, unknown> | Failure): unknown {
  if (answer instanceof Failure) return answer.message;
  // The output was validated with the operation's schema.
  return (answer.records as { file: string }[]).map(({ file }) => file);
}

describe("[architecture.decisions.found] records are found in the usual project folders, without settings other than the root", () => {
  const places = [
    "",
    "mcp/resources/adr/",
    "doc/adr/",
    "docs/adr/",
    "docs/adrs/",
    "docs/decisions/",
    "docs/architecture/decisions/",
    "doc/architecture/decisions/",
    "adr/",
    "packages/web/docs/adr/",
    "some/where/else/",
  ];
  for (const place of places) {
    test(place || "the root itself", async () => {
      expect(
        await filesOf({
          [`${place}0001-a.md`]: record("1. A"),
          [`${place}README.md`]: "# Decisions\n",
          "docs/guide.md": "# Guide\n",
          "docs/chapters/01-intro.md": "# Intro\n",
        }),
      ).toEqual([`${place}0001-a.md`, `${place}README.md`]);
    });
  }

  test(".adr-dir takes precedence", async () => {
    expect(
      await filesOf({
        ".adr-dir": "our/choices\n",
        "our/choices/0001-a.md": record("1. A"),
        "docs/adr/0001-b.md": record("1. B"),
      }),
    ).toEqual(["our/choices/0001-a.md"]);
  });

  test("the folders in the log4brains settings, for the project and its packages", async () => {
    expect(
      await filesOf({
        ".log4brains.yml":
          "project:\n  name: X\n  adrFolder: ./docs/adr\n  packages:\n    - name: web\n      path: ./web\n      adrFolder: ./web/choices\n",
        "docs/adr/20200101-a.md": "# A\n\n- Status: accepted\n",
        "web/choices/20200102-b.md": "# B\n\n- Status: accepted\n",
      }),
    ).toEqual(["docs/adr/20200101-a.md", "web/choices/20200102-b.md"]);
  });

  test("subfolders are searched, and those without records are skipped", async () => {
    expect(
      await filesOf({
        "docs/adr/0001-a.md": record("1. A"),
        "docs/adr/archive/0002-b.md": record("2. B"),
        "docs/adr/images/notes.md": "# Notes\n",
      }),
    ).toEqual(["docs/adr/0001-a.md", "docs/adr/archive/0002-b.md"]);
  });

  test("never in packages, build output or hidden folders", async () => {
    expect(
      await filesOf({
        "node_modules/x/docs/adr/0001-a.md": record("1. A"),
        ".git/docs/adr/0001-a.md": record("1. A"),
        "vendor/adr/0001-a.md": record("1. A"),
        "docs/adr/.draft.md": record("1. A"),
      }),
    ).toEqual([]);
  });
});

test("[architecture.decisions.outside] settings and links cannot point outside the root", async () => {
  const { root, call, write } = decisionLibrary({ "docs/adr/0001-a.md": record("1. A") });
  writeFileSync(join(root, "../0009-secret.md"), record("9. Secret"));
  mkdirSync(join(root, "../outer/adr"), { recursive: true });
  writeFileSync(join(root, "../outer/adr/0008-secret.md"), record("8. Secret"));
  symlinkSync("../../../0009-secret.md", join(root, "docs/adr/0009-secret.md"));
  symlinkSync("../../outer/adr", join(root, "docs/adrs"));
  write("docs/adr/0002-b.md", record("2. B", "Superseded by [x](../../../../../etc/passwd.md)"));

  const listed = await call("list_decisions");
  expect(listedFiles(listed)).toEqual(["docs/adr/0001-a.md", "docs/adr/0002-b.md"]);
  expect(JSON.stringify(listed)).not.toContain("Secret");
  write(".adr-dir", "../outer/adr");
  expect(listedFiles(await call("list_decisions"))).toEqual([
    "docs/adr/0001-a.md",
    "docs/adr/0002-b.md",
  ]);
  expect(await call("lint_decisions")).toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({ rule: "broken-link", file: "docs/adr/0002-b.md" }),
      expect.objectContaining({ rule: "unreadable", file: "docs/adr/0009-secret.md" }),
    ]),
  });
});

test("[architecture.decisions.outside] settings outside the root, or that are not a file, are ignored", async () => {
  const { root, call } = decisionLibrary({
    "docs/adr/0001-a.md": record("1. A"),
    "our/choices/0002-b.md": record("2. B"),
  });
  writeFileSync(join(root, "../named"), "our/choices\n");
  symlinkSync("../named", join(root, ".adr-dir"));
  mkdirSync(join(root, ".log4brains.yml"));

  expect(listedFiles(await call("list_decisions"))).toEqual(["docs/adr/0001-a.md"]);
});

test("[architecture.decisions.outside] nothing outside a force root is read", async () => {
  const inner = decisionLibrary({ "adr/0002-b.md": record("2. B") });
  const { call } = decisionLibrary(
    { "docs/adr/0001-a.md": record("1. A") },
    { forceRoot: inner.root },
  );

  expect(listedFiles(await call("list_decisions"))).toEqual(["adr/0002-b.md"]);
});

test("[architecture.decisions.large] a file that is too large or not text is reported, and the rest is read", async () => {
  const { call } = decisionLibrary({
    "docs/adr/0001-a.md": record("1. A"),
    "docs/adr/0002-long.md": record("2. B") + "x".repeat(3_000_000),
    "docs/adr/0003-bytes.md": "\0\0\0",
  });

  expect(listedFiles(await call("list_decisions"))).toEqual(["docs/adr/0001-a.md"]);
  expect(await call("lint_decisions")).toMatchObject({
    errors: 2,
    findings: [{ rule: "unreadable" }, { rule: "unreadable" }],
  });
});

test("[architecture.decisions.fresh] every answer reflects the current files", async () => {
  const { call, write, root } = decisionLibrary({ "docs/adr/0001-a.md": record("1. A") });
  const listed = async () => listedFiles(await call("list_decisions"));
  expect(await listed()).toEqual(["docs/adr/0001-a.md"]);
  expect(await listed()).toEqual(["docs/adr/0001-a.md"]);

  write("docs/adr/0001-a.md", record("1. A", "Rejected"));
  expect(await call("show_decision", { id: "1" })).toMatchObject({ status: "rejected" });
  write("docs/adr/0002-b.md", record("2. B"));
  expect(await listed()).toEqual(["docs/adr/0001-a.md", "docs/adr/0002-b.md"]);
  rmSync(join(root, "docs/adr/0001-a.md"));
  expect(await listed()).toEqual(["docs/adr/0002-b.md"]);
  rmSync(join(root, "docs"), { recursive: true });
  expect(await listed()).toEqual([]);
  write("mcp/resources/adr/0001-c.md", record("1. C"));
  expect(await listed()).toEqual(["mcp/resources/adr/0001-c.md"]);
  write("mcp/resources/adr/0001-c.md", record("1. C", "Rejected"));
  expect(await call("show_decision", { id: "1" })).toMatchObject({ status: "rejected" });
});

test("[architecture.decisions.fresh] a record written through another of its names is read again", async () => {
  const { call, write, root } = decisionLibrary({ "docs/adr/0001-a.md": record("1. A") });
  linkSync(join(root, "docs/adr/0001-a.md"), join(root, "other-name"));
  await call("list_decisions");
  await call("list_decisions");
  write("other-name", record("1. A", "Rejected"));

  expect(await call("show_decision", { id: "1" })).toMatchObject({ status: "rejected" });
});

describe("[architecture.decisions.ids] a record is named by number, name or file; ambiguous names are refused", () => {
  const files = {
    "docs/adr/0004-use-lunr.md": record("4. Use Lunr"),
    "docs/adr/0040-use-lunr-more.md": record("40. More"),
    "docs/adr/sub/0004-other.md": record("4. Other"),
  };
  const asker = () => {
    const { call } = decisionLibrary(files);
    return async (id: string): Promise<unknown> => {
      const answer = await call("show_decision", { id });
      return answer instanceof Failure ? answer : answer.file;
    };
  };

  test("by its name", async () => {
    const names = ["40", "0040", "ADR-40", "use-lunr", "0004-use-lunr", "0004-use-lunr.md"];
    const others = ["docs/adr/0004-use-lunr.md", "sub/4", "OTHER", " 40 "];
    const found = await Promise.all([...names, ...others].map(asker()));

    expect(found.map((file) => String(file).replace("docs/adr/", ""))).toEqual([
      "0040-use-lunr-more.md",
      "0040-use-lunr-more.md",
      "0040-use-lunr-more.md",
      "0004-use-lunr.md",
      "0004-use-lunr.md",
      "0004-use-lunr.md",
      "0004-use-lunr.md",
      "sub/0004-other.md",
      "sub/0004-other.md",
      "0040-use-lunr-more.md",
    ]);
  });

  test("an ambiguous name selects none, and lists the candidates", async () => {
    expect(await asker()("4")).toMatchObject({
      kind: "invalid",
      message:
        "'4' is ambiguous: it could be docs/adr/0004-use-lunr.md or docs/adr/sub/0004-other.md.",
    });
  });

  test("without a match the closest are named", async () => {
    const shown = asker();
    expect(await shown("use-luner")).toMatchObject({
      kind: "not-found",
      hints: expect.arrayContaining([expect.stringContaining("use-lunr")]),
    });
    for (const id of ["400", "lunr", "../../../etc/passwd", "\u202e4", "*"]) {
      expect([id, await shown(id)]).toMatchObject([id, { kind: "not-found" }]);
    }
  });
});

test("[architecture.decisions.successions] a relation stated on one side holds for both, and chains lead to the current decision", async () => {
  const { call } = decisionLibrary({
    "docs/adr/0001-a.md": record("1. A", "Superceded by [2. B](0002-b.md)"),
    "docs/adr/0002-b.md": record("2. B"),
    "docs/adr/0003-c.md": record("3. C", "Accepted\n\nSupersedes ADR-2"),
    "docs/adr/0004-d.md": record(
      "4. D",
      "Accepted",
      "\nThis ADR supersedes parts of [C](0003-c.md).\n",
    ),
  });

  expect(await call("list_decisions")).toMatchObject({
    records: [
      { supersedes: [], superseded_by: ["docs/adr/0002-b.md"] },
      { supersedes: ["docs/adr/0001-a.md"], superseded_by: ["docs/adr/0003-c.md"] },
      { supersedes: ["docs/adr/0002-b.md"], superseded_by: ["docs/adr/0004-d.md"] },
      { supersedes: ["docs/adr/0003-c.md"], superseded_by: [] },
    ],
  });
  expect(await call("show_decision", { id: "1" })).toMatchObject({
    living: ["docs/adr/0003-c.md"],
    links: [{ verb: "Superceded by", file: "docs/adr/0002-b.md", partial: false }],
  });
});

test("[architecture.decisions.list] the command prints an array with the documented fields, from any folder", async () => {
  const { library } = decisionLibrary({ "docs/adr/0001-a.md": record("1. A") });
  const { shell, request } = clientsOf(library, decisionShelves);
  const { code, out } = await shell("adr", "list", "--json");
  const expected = [
    {
      file: "docs/adr/0001-a.md",
      kind: "adr",
      format: "nygard",
      number: 1,
      title: "A",
      title_raw: "1. A",
      status: "accepted",
      status_raw: "Accepted",
      status_from: "section",
      date: "2020-01-01",
      date_raw: "2020-01-01",
      deciders: [],
      sections: ["Status", "Context", "Decision", "Consequences"],
      supersedes: [],
      superseded_by: [],
    },
  ];

  expect([code, JSON.parse(out)]).toEqual([0, expected]);
  expect(await request("GET", "/adr")).toEqual({ status: 200, body: { records: expected } });
  expect((await shell("adr", "list")).out).toBe("docs/adr/0001-a.md  accepted  2020-01-01  A\n");
  expect((await shell("adr", "list", "--status", "rejected")).out).toBe(
    "There are no decisions.\n",
  );
});

const data = fileURLToPath(new URL("../../../../../shared/data/adr", import.meta.url));
const isThere = existsSync(join(data, "expected.jsonl"));

/** The expected relations of the records; the second record states only some of them. */
const successions = {
  "govuk-aws/0003-aws-networking-outline.md": ["govuk-aws/0033-ip-ranges.md"],
  "govuk-aws/0004-dns-definitions-for-hosts-and-services.md": [
    "govuk-aws/0015-dns-infrastructure.md",
  ],
  "log4brains/20200926-use-the-adr-number-as-its-unique-id.md": [
    "log4brains/20201016-use-the-adr-slug-as-its-unique-id.md",
  ],
  "arachne/adr-015-data-abstraction-model.md": ["arachne/adr-017-simplify-chimera-model.md"],
  "arachne/adr-016-db-migrations.md": ["arachne/adr-017-simplify-chimera-model.md"],
};

const tested = isThere ? "../shared/data/adr" : "made records, as ../shared/data/adr is not there";

test(`[architecture.decisions.real] a folder of real projects is listed as expected (${tested})`, async () => {
  if (!isThere) {
    expect(await filesOf({ "a/0001-a.md": record("1. A"), "b/0001-b.md": record("1. B") })).toEqual(
      ["a/0001-a.md", "b/0001-b.md"],
    );
    return;
  }
  const { library } = decisionLibrary({}, { root: data });
  const { out } = await clientsOf(library, decisionShelves).shell("adr", "list", "--json");
  const listed: Record<string, unknown>[] = JSON.parse(out);
  const lines = readFileSync(join(data, "expected.jsonl"), "utf8").trim().split("\n");
  const byFile = new Map(listed.map((one) => [one.file, one]));

  expect(listed).toHaveLength(lines.length);
  for (const line of lines) {
    const expected: Record<string, unknown> = JSON.parse(line);
    expect(byFile.get(expected.file)).toMatchObject(expected);
  }
  const superseded = listed.filter(({ superseded_by }) => String(superseded_by) !== "");
  expect(
    Object.fromEntries(superseded.map(({ file, superseded_by }) => [file, superseded_by])),
  ).toEqual(successions);

  for (const folder of new Set(lines.map((line) => String(JSON.parse(line).file).split("/")[0]))) {
    const alone = decisionLibrary({}, { root: join(data, folder ?? "") });
    const own = listed.filter(({ file }) => String(file).startsWith(`${folder}/`));
    expect(listedFiles(await alone.call("list_decisions"))).toEqual(
      own.map(({ file }) => String(file).slice(`${folder}/`.length)),
    );
  }
});
