import { expect, test } from "vitest";
import { outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import {
  type Data,
  type RepositoryLibrary,
  repositoryLibrary,
} from "../../../../tests/fixtures/repository/repository-library.ts";

const code = `/** Lights. */
export function lightLamp(name: string, level = 1): boolean { return lit.has(name); }
export function dimLamp(name: string): void { log("dim it slowly until it is dark", name); }
export function unspoken(): void {}
export class Keeper {
  constructor(public name: string) {}
  watch(hours: number): void {}
}
`;

const page = `# Lamps

### \`lightLamp(name: string, level = 1): boolean\`

Then \`dimLamp\`, and $& stays:

\`\`\`ts
const keeper = new Keeper("Ada");
keeper.watch(8);
dimLamp("first");
\`\`\`
`;

const files = { "src/lamp.ts": code, "docs/lamp.md": page };

const projectPath = ".";

/** The reported changes, as `change symbol: page:line …`. */
const driftLines = (data: Data): string[] =>
  data.driftDetections.flatMap(({ drifts }: Data) =>
    drifts.map(
      ({ change, symbol, references }: Data) =>
        `${change} ${symbol}: ${references.map((one: Data) => `${one.page}:${one.line}`).join(" ")}`,
    ),
  );

/** A library with a baseline of `files`, whose code was changed afterwards. */
async function changed(to: (text: string) => string, more: Record<string, string> = {}) {
  const made = repositoryLibrary({ ...files, ...more });
  await made.data("sync_code_to_docs", { projectPath });
  made.write("src/lamp.ts", to(code));
  return made;
}

const detect = (from: RepositoryLibrary, input = {}) =>
  from.data("sync_code_to_docs", { projectPath, ...input });

const all = (text: string): string =>
  text
    .replace("level = 1", "level = 2, colour?: string")
    .replaceAll("dimLamp", "fadeLamp")
    .replace("watch(hours: number)", "guard(on: boolean)");

test("[repository.drift.symbols] removed, renamed and changed symbols are reported with the lines that mention them", async () => {
  const library = await changed(all);

  expect(driftLines(await detect(library))).toEqual([
    "signature lightLamp: docs/lamp.md:3",
    "renamed dimLamp: docs/lamp.md:5 docs/lamp.md:10",
    "removed Keeper.watch: docs/lamp.md:9",
  ]);
});

test("[repository.drift.no-false-positives] formatting, comments, bodies, order, moves and undocumented code are not drift", async () => {
  const library = await changed((text) =>
    text
      .replace("/** Lights. */", "/** Lights it up. */")
      .replace("(name: string, level = 1)", "(\n  name: string, // which\n  level = 1,\n)")
      .replace("return lit.has(name)", "return true")
      .replace("unspoken(): void", "unspoken(now: Date): string"),
  );
  const keeper = library.read("src/lamp.ts").split("export class");
  library.write("src/lamp.ts", keeper[0] ?? "");
  library.write("src/people/keeper.ts", `export class${keeper[1]}`);

  expect(driftLines(await detect(library))).toEqual([]);
});

test("[repository.drift.baseline] the baseline changes only when a person accepts, however often drift is checked", async () => {
  const library = await changed(all);
  const first = await detect(library);

  expect(driftLines(await detect(library))).toEqual(driftLines(first));
  expect((await detect(library)).snapshotId).toBe(first.snapshotId);
  const { accepted } = await library.output("accept_documentation_drift", {
    projectPath,
    symbols: ["lightLamp"],
  });
  expect(accepted).toEqual(["lightLamp"]);
  expect(driftLines(await detect(library))).toHaveLength(2);
  await library.output("accept_documentation_drift", { projectPath });
  expect(driftLines(await detect(library))).toEqual([]);
});

test("[repository.drift.undo] accepting can be undone and redone", async () => {
  const library = await changed(all);
  await library.output("accept_documentation_drift", { projectPath });
  const last = async () => (await library.output("activity")).changes[0].id;

  await library.output("undo_change", { id: await last() });
  expect(driftLines(await detect(library))).toHaveLength(3);
  await library.output("undo_change", { id: await last() });
  expect(driftLines(await detect(library))).toEqual([]);
});

test("[repository.drift.tool] no agent tool can accept drift", async () => {
  const { library } = repositoryLibrary(files);

  expect(library.catalogue.find("accept_documentation_drift")?.operation.effect).toBe("decides");
});

test("[repository.drift.later] a documented symbol added after the baseline is tracked from then on", async () => {
  const library = await changed((text) => `${text}export function snuff(wick: string): void {}\n`);
  library.write("docs/more.md", "Use `snuff()`.\n");
  expect(driftLines(await detect(library))).toEqual([]);
  library.write(
    "src/lamp.ts",
    `${code}export function snuff(wick: string, slow: boolean): void {}\n`,
  );

  expect(driftLines(await detect(library))).toEqual(["signature snuff: docs/more.md:1"]);
});

test("[repository.drift.corrected] a manually corrected page is no longer reported", async () => {
  const library = await changed(all);
  library.write(
    "docs/lamp.md",
    page
      .replace("(name: string, level = 1)", "(name: string, level = 2, colour?: string)")
      .replaceAll("dimLamp", "fadeLamp")
      .replace("keeper.watch(8)", "keeper.guard(true)"),
  );

  expect(driftLines(await detect(library))).toEqual([]);
});

test("[repository.drift.preview] a preview shows the diff and writes nothing", async () => {
  const library = await changed(all);
  const { diff, appliedChanges } = await detect(library, { mode: "preview" });

  expect(diff).toContain("+### `lightLamp(name: string, level = 2, colour?: string): boolean`");
  expect(diff).toContain("+Then `fadeLamp`, and $& stays:");
  expect(appliedChanges).toEqual([]);
  expect(library.read("docs/lamp.md")).toBe(page);
});

test("[repository.drift.proposals] an agent's fix waits for a person, once, and can be undone", async () => {
  const library = await changed(all);
  const { pendingChanges, appliedChanges } = await detect(library, { mode: "apply" });
  const again = await detect(library, { mode: "apply" });
  const ids = pendingChanges.flatMap(({ proposalId }: Data) => proposalId ?? []);

  expect([appliedChanges, ids.length, library.read("docs/lamp.md")]).toEqual([[], 2, page]);
  expect(again.pendingChanges).toEqual(pendingChanges);
  for (const id of ids) await library.output("accept_proposal", { id });
  expect(library.read("docs/lamp.md")).toBe(
    page.replace("level = 1", "level = 2, colour?: string").replaceAll("dimLamp", "fadeLamp"),
  );
  expect(driftLines(await detect(library))).toEqual(["removed Keeper.watch: docs/lamp.md:9"]);
  const { changes } = await library.output("activity");
  for (const { id } of changes.slice(0, 2)) await library.output("undo_change", { id });
  expect(library.read("docs/lamp.md")).toBe(page);
});

test("[repository.drift.changed-meanwhile] a proposal is not written if its line was changed meanwhile", async () => {
  const library = await changed(all);
  const { pendingChanges } = await detect(library, { mode: "apply" });
  const text = page.replace("### `lightLamp", "### Mine: `lightLamp");
  library.write("docs/lamp.md", text);
  const { kind, message } = await library.failure("accept_proposal", {
    id: pendingChanges[0].proposalId,
  });

  expect([kind, message]).toEqual([
    "conflict",
    "'docs/lamp.md' was changed in the meantime; nothing was written.",
  ]);
  expect(library.read("docs/lamp.md")).toBe(text);
});

test("[repository.drift.past] changelogs are not documentation, and decisions are cited", async () => {
  const library = await changed(all, {
    "CHANGELOG.md": "Added `unspoken` and `dimLamp`.\n",
    "docs/adr/001-lamps.md": "# 1. Lamps\n\nWe dim by `dimLamp`.\n",
  });
  const { driftDetections } = await detect(library);
  const dim = driftDetections[0].drifts.find(({ symbol }: Data) => symbol === "dimLamp");

  expect(dim.references.map(({ page: file }: Data) => file)).not.toContain("CHANGELOG.md");
  expect(dim.decisions).toEqual([{ page: "docs/adr/001-lamps.md", line: 3, text: "dimLamp" }]);
});

test("[repository.drift.classes] a change of a class is reported once, with every line that uses it", async () => {
  const gone = await changed((text) => text.slice(0, text.indexOf("export class")));
  gone.write("docs/lamp.md", "Call `Keeper.watch()`, or make a `Keeper`.\n");
  const renamed = await changed((text) => text.replaceAll("Keeper", "Guardian"));
  renamed.write("docs/lamp.md", "Call `Keeper.watch()`, or make a `Keeper`.\n");

  expect(driftLines(await detect(gone))).toEqual(["removed Keeper: docs/lamp.md:1 docs/lamp.md:1"]);
  expect(driftLines(await detect(renamed))).toEqual([
    "renamed Keeper: docs/lamp.md:1 docs/lamp.md:1",
  ]);
  expect((await detect(renamed, { mode: "preview" })).diff).toContain(
    "+Call `Guardian.watch()`, or make a `Guardian`.",
  );
});

test("[repository.drift.folders] the pages of each folder have their own baseline", async () => {
  const library = await changed(all, { "guide/other.md": "Use `dimLamp`.\n" });

  expect((await detect(library, { docsPath: "guide" })).baseline).toBe("made");
  expect(driftLines(await detect(library))).toContain(
    "renamed dimLamp: docs/lamp.md:5 docs/lamp.md:10 guide/other.md:1",
  );
  const { message } = await library.failure("sync_code_to_docs", {
    projectPath: "docs",
    docsPath: "..",
  });
  expect(message).toBe("Invalid parameter 'docsPath': the pages must be inside the repository.");
  const missing = await library.failure("sync_code_to_docs", { projectPath: "nowhere" });
  expect(missing.message).toBe("Repository path does not exist");
});

test("[repository.drift.damaged] an unreadable baseline is skipped", async () => {
  const made = await changed(all);
  const { db } = made.library.runtime;
  await made.output("accept_documentation_drift", { projectPath });
  const [older, newer] = db.all<{ id: number }>("SELECT id FROM repository_baselines ORDER BY id");
  const damage = (id: number | undefined) =>
    db.run(
      "UPDATE repository_baselines SET symbols = substr(symbols, 1, 40) WHERE id = ?",
      id ?? 0,
    );

  expect(driftLines(await detect(made))).toEqual([]);
  damage(newer?.id);
  expect(driftLines(await detect(made))).toHaveLength(3);
  damage(older?.id);
  expect((await detect(made)).baseline).toBe("made");
});

test("[repository.drift.unread] symbols of an unreadable file are not reported as removed", async () => {
  const library = await changed((text) => `${text}// ${"x".repeat(1_000_001)}`);
  const { driftDetections, unreadable } = await detect(library);

  expect(driftDetections).toEqual([]);
  expect(unreadable).toEqual([{ file: "src/lamp.ts", problem: "it is larger than 1 MB" }]);
  library.write("src/lamp.ts", all(code));
  expect(driftLines(await detect(library))).toHaveLength(3);
});

test("an incomplete run changes no page and proposes nothing", async () => {
  // More files than are read between two progress reports.
  const others = Array.from({ length: 101 }, (_, index) => [
    `src/other-${String(index).padStart(3, "0")}.ts`,
    `export function other${index}(): void {}\n`,
  ]);
  const { library, output, read } = await changed(all, Object.fromEntries(others));
  const time = new AbortController();
  let received = 0;
  const stopped = await outcomeOf(
    library,
    "sync_code_to_docs",
    { projectPath, mode: "apply" },
    {
      actor: { surface: "cli" },
      signal: time.signal,
      onProgress: (_done, _total, said) =>
        said === "Reading code" && ++received > 1 && time.abort(),
    },
  );

  expect(stopped).toMatchObject({
    ok: true,
    value: { data: { partial: true, appliedChanges: [], driftDetections: [{ hasDrift: true }] } },
  });
  expect(read("docs/lamp.md")).toBe(page);
  expect((await output("activity")).changes).toEqual([]);
});

test("[repository.drift.stopped] an interrupted run reports where it stopped, and keeps the baseline", async () => {
  const { library, ...made } = await changed(all);
  const entry = library.catalogue.find("sync_code_to_docs");
  if (!entry) throw new Error("There is no such tool.");
  const stopped = await library.call(
    entry,
    { projectPath },
    { actor: { surface: "test" }, signal: AbortSignal.abort() },
  );

  expect(stopped).toMatchObject({ ok: true, value: { data: { partial: true } } });
  expect(driftLines(await made.data("sync_code_to_docs", { projectPath }))).toHaveLength(3);
});
