import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshHome } from "../../journeys/program.ts";
import { type QmdLibrary, qmdLibrary } from "./qmd-library.ts";

/** Founding document 004: the commands that it names, here and by way of a running server. */
let library: QmdLibrary;
const elsewhere = freshHome();

beforeAll(async () => {
  library = await qmdLibrary(
    {
      "notes/meeting.md": "# Meeting notes\n\nThe meeting was short.\n\n## Next\n\nIn May.\n",
      "notes/other.md": "# Other\n\nNothing of it.\n",
    },
    { notes: "meeting notes" },
  );
});

afterAll(async () => {
  await library.close();
  rmSync(elsewhere, { recursive: true, force: true });
});

/** Types a line in a home that knows of no documents. */
const typedElsewhere = (line: string) => library.typed(`LECTERN_HOME=${elsewhere} ${line}`);

const asking = () => `--mode server --port ${new URL(library.url).port}`;

describe.each([
  "qmd search meeting",
  "qmd query 'how short was the meeting?'",
  "qmd get notes/meeting.md:5",
  "qmd multi-get 'notes/*.md'",
  "qmd status",
  "qmd collection list",
  "qmd context list",
])("%s", (line) => {
  test("[search.server-mode.same] with --mode server it prints the same as locally", async () => {
    const here = await library.typed(line);
    expect(here).not.toBe("");
    expect(await typedElsewhere(`${line} ${asking()}`)).toBe(here);
  });
});

test("[search.server-mode.json] with --json a search is an array of results, locally and through a server", async () => {
  const here = JSON.parse(await library.typed("qmd search meeting --json"));
  const there = JSON.parse(await typedElsewhere(`qmd search meeting --json ${asking()}`));

  expect(here).toMatchObject([
    { file: "notes/meeting.md", title: "Meeting notes", context: "meeting notes" },
  ]);
  expect(there).toEqual(here);
});

test("[search.server-mode.writes] changes are made by the server", async () => {
  library.put("papers/letter.md", "# Letter\n\nA zeppelin.\n");
  const path = library.place("papers");

  expect(await typedElsewhere(`qmd collection add ${path} ${asking()}`)).toBe(
    "Added collection 'papers' with 1 document\n",
  );
  expect(await library.found("search", { query: "zeppelin" })).toMatchObject([
    { file: "papers/letter.md" },
  ]);
  expect(await typedElsewhere(`qmd collection remove papers ${asking()}`)).toBe(
    "Removed collection 'papers'\n",
  );
  expect(readdirSync(elsewhere).filter((name) => name.includes("sqlite"))).toEqual([]);
});

test("[search.server-mode.failures] errors of the server have the same text and exit code locally", async () => {
  const code = (line: string) => library.typed(`${line} 2>&1; echo $?`);
  const there = (line: string) => typedElsewhere(`${line} ${asking()} 2>&1; echo $?`);

  for (const [line, ending] of [
    ["qmd vsearch meeting", 7],
    ["qmd get notes/meting.md", 3],
    ["qmd search meeting -c nots", 3],
  ] as const) {
    const here = await code(line);
    expect(here).toMatch(new RegExp(`\\n${ending}\\n$`));
    expect(await there(line)).toBe(here);
  }
});

/** Every command line that the document prints, with the placeholders filled in. */
const printed = [
  "qmd collection add docs --name my-docs --mask '**/*.md'",
  "qmd collection list",
  "qmd collection rename my-docs my-docs-v2",
  "qmd index",
  "qmd update",
  "qmd update --pull",
  "qmd context add docs 'Project documentation'",
  "qmd context list",
  "qmd context rm docs",
  "qmd collection remove my-docs-v2",
];

test("[search.commands.printed] each documented command line runs as printed", async () => {
  library.put("docs/a.md", "# A\n");
  for (const line of printed) {
    const stdout = await library.typed(`cd ${library.library}; ${line}`);
    expect(stdout, line).not.toBe("");
  }
});

test("[search.commands.help] each has a help with its usage", async () => {
  for (const command of ["search", "vsearch", "query", "get", "multi-get", "status", "embed"]) {
    expect(await library.typed(`qmd help ${command}`), command).toContain(`qmd ${command}`);
  }
  for (const command of ["server", "mcp", "collection add", "context add", "index", "update"]) {
    expect(await library.typed(`qmd ${command} --help`), command).toContain(`qmd ${command}`);
  }
});

test("[search.commands.home] a command finds what the server wrote, and the server what the command wrote", async () => {
  library.put("notes/late.md", "# Late\n\nA pelican.\n");
  await library.typed("qmd update");
  const { body } = await library.rest("POST /search", { query: "pelican" });

  expect(body.results).toMatchObject([{ file: "notes/late.md" }]);
  expect(readdirSync(library.home)).toContain("config.json");
  expect(readdirSync(join(library.home, "library"))).toContain("notes");
});
