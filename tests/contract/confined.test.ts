import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readSettings } from "../../src/kernel/home/settings.ts";
import { type App, openApp } from "../../src/kernel/runtime/app.ts";
import { createLog } from "../../src/kernel/runtime/log.ts";
import { shelves } from "../../src/shelves.ts";
import { answerOf } from "../fixtures/library/named-call.ts";
import { exampleIn } from "../fixtures/library/sample-library.ts";
import { clientsOf } from "./surface-clients.ts";

const sample = fileURLToPath(new URL("../../sample", import.meta.url));

function open(home: string, root: string, forceRoot?: string): App {
  return openApp({
    shelves,
    settings: readSettings({ root, ...(forceRoot && { forceRoot }) }, { LECTERN_HOME: home }, home),
    identity: { name: "lectern", title: "Lectern", version: "0.0.0" },
    log: createLog({ level: "error", write: () => {} }),
  });
}

/** A home with collections inside a folder, and perhaps with much that belongs elsewhere. */
async function homeWith(home: string, outside: boolean): Promise<{ home: string; inside: string }> {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  const [inside, elsewhere] = [join(home, "inside"), join(home, "elsewhere")];
  cpSync(sample, inside, { recursive: true });
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "secret.md"), "# Quicksilver\n\nMercury. See [other](other.md).\n");
  writeFileSync(join(elsewhere, "binary.md"), new Uint8Array([0, 1, 2]));
  const library = open(home, inside);
  for (const name of ["handbook", "notes"]) {
    await answerOf(library, "add_collection", { name, path: join(inside, name) });
  }
  await answerOf(library, "add_context", { path: "notes", text: "Meetings" });
  if (outside) {
    await answerOf(library, "add_collection", { name: "private", path: elsewhere });
    await answerOf(library, "add_context", { path: "private", text: "Quicksilver" });
    await answerOf(library, "add_context", { path: elsewhere, text: "Quicksilver too" });
  }
  await library.close();
  if (outside) {
    const other = open(home, elsewhere);
    await answerOf(other, "propose-decision", { kind: "new", title: "Quicksilver" });
    await answerOf(other, "create_project", { path: join(elsewhere, "talks.qda") });
    await answerOf(other, "add_text_source", { name: "Quicksilver", content: "I hoped." });
    await answerOf(other, "read_source_content", { source_id: 1 });
    await answerOf(other, "suggest_source_metadata", { source_id: 1, language: "en" });
    await other.close();
  }
  return { home, inside };
}

/**
 * What differs between any two runs: times, and what is drawn by lot. Numbers of rows count
 * everybody's work. The score of a hit weighs words by the whole index, so the texts outside have
 * no word that an example asks for.
 */
const settled = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "TIME")
    .replaceAll(
      /("(?:\w*[rR]evision|change_id|changeId|undone_by|proposal_id|proposalId|id|pid|bytes|score)":)[\d.]+/g,
      "$1N",
    )
    .replaceAll(/("(?:p50|p95|took\w*|\w*[mM]s)":)[\d.]+/g, "$1N")
    .replaceAll(/("(?:call|preview_token|next_cursor|executionTime)":)("[^"]*"|[\d.]+)/g, "$1X")
    .replaceAll(/(analysis_\w+?_)[0-9a-f]{20}/g, "$1X")
    .replaceAll(/_BKUP_\d+_\d+_\d+/g, "_BKUP_TIME")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27,}/g, "UUID");

/** What each operation answers to a process that is confined, in the order of the catalogue. */
async function answersIn({ home, inside }: { home: string; inside: string }): Promise<string[]> {
  const library = open(home, inside, inside);
  const { request } = clientsOf(library);
  const names = ["private", "private/secret.md", join(home, "elsewhere")];
  const reported: string[] = [];
  const tell = (asked: string, answer: unknown): void => {
    reported.push(settled(`${asked}: ${JSON.stringify(answer)}`));
  };
  const routes: [string, string, object?][] = [
    ["GET", "/contexts"],
    ["GET", "/collections"],
    ["GET", "/status"],
    ["GET", "/documents"],
    ["GET", "/activity"],
    ["GET", "/proposals"],
    ["GET", "/system"],
    ["GET", "/house"],
    ["POST", "/collections/add", { name: "private", path: join(inside, "notes") }],
    ["POST", "/collections/add", { name: "free", path: join(inside, "notes") }],
    ["PUT", "/collections/notes", { newName: "private" }],
    ["POST", "/search", { query: "quicksilver" }],
    ["POST", "/update", {}],
    ["POST", "/index", {}],
    ...names.flatMap((name): [string, string, object?][] => [
      ["DELETE", `/contexts/${encodeURIComponent(name)}`],
      ["GET", `/collections/${encodeURIComponent(name)}`],
      ["DELETE", `/collections/${encodeURIComponent(name)}`],
      ["POST", "/contexts/add", { path: name, text: "Mine" }],
      ["POST", "/get", { file: name }],
    ]),
  ];
  for (const [method, path, body] of routes) {
    tell(`${method} ${path}`, await request(method, path, body).catch((error) => String(error)));
  }
  // Those that take the number of a proposal come first, while there is none inside.
  const isReview = ({ shelf }: { shelf: { name: string } }): boolean => shelf.name === "review";
  const { entries } = library.catalogue;
  const inOrder = [...entries.filter(isReview), ...entries.filter((entry) => !isReview(entry))];
  for (const { operation } of inOrder) {
    const { name } = operation;
    const inputs = [
      exampleIn(inside, operation.example),
      ...names.map((word) => wordedWith(exampleIn(inside, operation.example), word)),
    ];
    for (const input of inputs) {
      const answer = await answerOf(library, name, input).catch((error: Error) => error.message);
      tell(`${name} ${JSON.stringify(input)}`, answer);
    }
  }
  await library.close();
  return reported;
}

/** The same input, with a word of the outside in place of each text. */
const wordedWith = (input: Record<string, unknown>, word: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === "string" ? word : value]),
  );

test("[core.force-root.silent] every operation answers the same, whatever exists outside the root", async () => {
  const top = mkdtempSync(join(tmpdir(), "lectern-confined-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  // One after the other at one path, which is part of some answers.
  const home = join(top, "home");
  const expected = await answersIn(await homeWith(home, false));
  const answers = await answersIn(await homeWith(home, true));

  expect(expected.length).toBeGreaterThan(300);
  const differing = answers.flatMap((answer, index) =>
    answer === expected[index]
      ? []
      : [`${answer.slice(0, 600)}\n≠ ${expected[index]?.slice(0, 600)}`],
  );
  expect(differing).toEqual([]);
}, 300_000);
