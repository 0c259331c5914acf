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

/** A home with collections inside a folder and, if `hasOutsideData`, with data outside of it. */
async function createHome(
  home: string,
  hasOutsideData: boolean,
): Promise<{ home: string; inside: string }> {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  const [inside, outsideFolder] = [join(home, "inside"), join(home, "elsewhere")];
  cpSync(sample, inside, { recursive: true });
  mkdirSync(outsideFolder);
  writeFileSync(
    join(outsideFolder, "secret.md"),
    "# Quicksilver\n\nMercury. See [other](other.md).\n",
  );
  writeFileSync(join(outsideFolder, "binary.md"), new Uint8Array([0, 1, 2]));
  const app = open(home, inside);
  for (const name of ["handbook", "notes"]) {
    await answerOf(app, "add_collection", { name, path: join(inside, name) });
  }
  await answerOf(app, "add_context", { path: "notes", text: "Meetings" });
  if (hasOutsideData) {
    await answerOf(app, "add_collection", { name: "private", path: outsideFolder });
    await answerOf(app, "add_context", { path: "private", text: "Quicksilver" });
    await answerOf(app, "add_context", { path: outsideFolder, text: "Quicksilver too" });
  }
  await app.close();
  if (hasOutsideData) {
    const other = open(home, outsideFolder);
    await answerOf(other, "propose-decision", { kind: "new", title: "Quicksilver" });
    await answerOf(other, "create_project", { path: join(outsideFolder, "talks.qda") });
    await answerOf(other, "add_text_source", { name: "Quicksilver", content: "I hoped." });
    await answerOf(other, "read_source_content", { source_id: 1 });
    await answerOf(other, "suggest_source_metadata", { source_id: 1, language: "en" });
    await other.close();
  }
  return { home, inside };
}

/**
 * Replaces what differs between any two runs: times, random ids and row numbers. Scores depend on
 * word frequencies in the whole index, so they are replaced too, and the outside texts contain no
 * word that an example searches for.
 */
const normalized = (text: string): string =>
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

/** The answers of all routes and operations to a process with a force root. */
async function collectAnswers({
  home,
  inside,
}: {
  home: string;
  inside: string;
}): Promise<string[]> {
  const app = open(home, inside, inside);
  const { request } = clientsOf(app);
  const names = ["private", "private/secret.md", join(home, "elsewhere")];
  const reported: string[] = [];
  const record = (label: string, answer: unknown): void => {
    reported.push(normalized(`${label}: ${JSON.stringify(answer)}`));
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
    record(`${method} ${path}`, await request(method, path, body).catch((error) => String(error)));
  }
  // Operations on proposals come first, before the examples create proposals.
  const isReview = ({ shelf }: { shelf: { name: string } }): boolean => shelf.name === "review";
  const { entries } = app.catalogue;
  const ordered = [...entries.filter(isReview), ...entries.filter((entry) => !isReview(entry))];
  for (const { operation } of ordered) {
    const { name } = operation;
    const inputs = [
      exampleIn(inside, operation.example),
      ...names.map((word) => withText(exampleIn(inside, operation.example), word)),
    ];
    for (const input of inputs) {
      const answer = await answerOf(app, name, input).catch((error: Error) => error.message);
      record(`${name} ${JSON.stringify(input)}`, answer);
    }
  }
  await app.close();
  return reported;
}

/** The input with each string replaced by this text. */
const withText = (input: Record<string, unknown>, word: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === "string" ? word : value]),
  );

test("[core.force-root.silent] every operation answers the same, whatever exists outside the root", async () => {
  const tempFolder = mkdtempSync(join(tmpdir(), "lectern-confined-"));
  onTestFinished(() => rmSync(tempFolder, { recursive: true, force: true }));
  // Both homes use the same path, since some answers contain it.
  const home = join(tempFolder, "home");
  const expected = await collectAnswers(await createHome(home, false));
  const answers = await collectAnswers(await createHome(home, true));

  expect(expected.length).toBeGreaterThan(300);
  const differing = answers.flatMap((answer, index) =>
    answer === expected[index]
      ? []
      : [`${answer.slice(0, 600)}\n≠ ${expected[index]?.slice(0, 600)}`],
  );
  expect(differing).toEqual([]);
});
