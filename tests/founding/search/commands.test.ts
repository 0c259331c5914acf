import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshHome } from "../../journeys/program.ts";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: the documented commands, run locally and through a server. */
let server: QmdServer;
const emptyHome = freshHome();

beforeAll(async () => {
  server = await startQmdServer(
    {
      "notes/meeting.md": "# Meeting notes\n\nThe meeting was short.\n\n## Next\n\nIn May.\n",
      "notes/other.md": "# Other\n\nNothing of it.\n",
    },
    { notes: "meeting notes" },
  );
});

afterAll(async () => {
  await server.close();
  rmSync(emptyHome, { recursive: true, force: true });
});

/** Runs a command line with a home that has no documents. */
const runInEmptyHome = (line: string) => server.runLine(`LECTERN_HOME=${emptyHome} ${line}`);

const serverFlags = () => `--mode server --port ${new URL(server.url).port}`;

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
    const local = await server.runLine(line);
    expect(local).not.toBe("");
    expect(await runInEmptyHome(`${line} ${serverFlags()}`)).toBe(local);
  });
});

test("[search.server-mode.json] with --json a search is an array of results, locally and through a server", async () => {
  const local = JSON.parse(await server.runLine("qmd search meeting --json"));
  const remote = JSON.parse(await runInEmptyHome(`qmd search meeting --json ${serverFlags()}`));

  expect(local).toMatchObject([
    { file: "notes/meeting.md", title: "Meeting notes", context: "meeting notes" },
  ]);
  expect(remote).toEqual(local);
});

test("[search.server-mode.writes] changes are made by the server", async () => {
  server.write("papers/letter.md", "# Letter\n\nA zeppelin.\n");
  const path = server.pathOf("papers");

  expect(await runInEmptyHome(`qmd collection add ${path} ${serverFlags()}`)).toBe(
    "Added collection 'papers' with 1 document\n",
  );
  expect(await server.resultsOf("search", { query: "zeppelin" })).toMatchObject([
    { file: "papers/letter.md" },
  ]);
  expect(await runInEmptyHome(`qmd collection remove papers ${serverFlags()}`)).toBe(
    "Removed collection 'papers'\n",
  );
  expect(readdirSync(emptyHome).filter((name) => name.includes("sqlite"))).toEqual([]);
});

test("[search.server-mode.failures] errors of the server have the same text and exit code locally", async () => {
  const code = (line: string) => server.runLine(`${line} 2>&1; echo $?`);
  const remote = (line: string) => runInEmptyHome(`${line} ${serverFlags()} 2>&1; echo $?`);

  for (const [line, ending] of [
    ["qmd vsearch meeting", 7],
    ["qmd get notes/meting.md", 3],
    ["qmd search meeting -c nots", 3],
  ] as const) {
    const local = await code(line);
    expect(local).toMatch(new RegExp(`\\n${ending}\\n$`));
    expect(await remote(line)).toBe(local);
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
  server.write("docs/a.md", "# A\n");
  for (const line of printed) {
    const stdout = await server.runLine(`cd ${server.root}; ${line}`);
    expect(stdout, line).not.toBe("");
  }
});

test("[search.commands.help] each has a help with its usage", async () => {
  for (const command of ["search", "vsearch", "query", "get", "multi-get", "status", "embed"]) {
    expect(await server.runLine(`qmd help ${command}`), command).toContain(`qmd ${command}`);
  }
  for (const command of ["server", "mcp", "collection add", "context add", "index", "update"]) {
    expect(await server.runLine(`qmd ${command} --help`), command).toContain(`qmd ${command}`);
  }
});

test("[search.commands.home] a command finds what the server wrote, and the server what the command wrote", async () => {
  server.write("notes/late.md", "# Late\n\nA pelican.\n");
  await server.runLine("qmd update");
  const { body } = await server.rest("POST /search", { query: "pelican" });

  expect(body.results).toMatchObject([{ file: "notes/late.md" }]);
  expect(readdirSync(server.home)).toContain("config.json");
  expect(readdirSync(join(server.home, "library"))).toContain("notes");
});
