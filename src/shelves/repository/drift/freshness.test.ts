import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type Data,
  repositoryLibrary,
} from "../../../../tests/fixtures/repository/repository-library.ts";
import {
  freshnessLevel,
  freshnessPresetNames,
  freshnessPresets,
  thresholdMs,
} from "./freshness.ts";

const day = 86_400_000;

const daysAgo = (days: number): string => new Date(Date.now() - days * day).toISOString();

/** A repository in which each file was committed the given number of days ago. */
function committed(files: Record<string, { text: string; days: number }>) {
  const texts = Object.fromEntries(Object.entries(files).map(([file, { text }]) => [file, text]));
  const made = repositoryLibrary(texts);
  const git = (words: string[], env = {}) =>
    execFileSync("git", ["-C", made.root, ...words], {
      stdio: "ignore",
      env: { ...process.env, ...env },
    });
  git(["init", "--quiet"]);
  for (const [file, { days }] of Object.entries(files).sort((a, b) => b[1].days - a[1].days)) {
    const date = daysAgo(days);
    const names = ["user.name=A", "user.email=a@example.com"].flatMap((name) => ["-c", name]);
    git(["add", file]);
    git([...names, "commit", "--quiet", "-m", file], {
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    });
  }
  return made;
}

const freshnessLines = ({ files }: Data): string[] =>
  files.map(
    ({ file, staleness, source, ageDays }: Data) =>
      `${file} ${staleness} ${source} ${Math.round(ageDays)}`,
  );

test("[repository.freshness.presets] presets have fixed ages, and custom thresholds must increase", async () => {
  const minutes = freshnessPresetNames.map((name) =>
    Object.values(freshnessPresets[name]).map((threshold) => thresholdMs(threshold) / 60_000),
  );
  expect(minutes).toEqual([
    [5, 15, 30],
    [120, 360, 720],
    [1_440, 4_320, 10_080],
    [10_080, 20_160, 43_200],
    [43_200, 86_400, 129_600],
    [129_600, 259_200, 525_600],
  ]);
  expect(
    [29, 30, 60, 90].map((days) => freshnessLevel(days * day, freshnessPresets.monthly)),
  ).toEqual(["fresh", "warning", "stale", "critical"]);
  const { failure } = repositoryLibrary({ "docs/a.md": "# A\n" });
  const { message } = await failure("track_documentation_freshness", {
    docsPath: "docs",
    warningThreshold: { value: 100, unit: "days" },
  });
  expect(message).toContain("warning, stale and critical must increase");
});

test("[repository.freshness.git] the age of a page is that of its last commit, regardless of the file's time", async () => {
  const { data, root } = committed({
    "docs/new.md": { text: "# New\n", days: 1 },
    "docs/old.md": { text: "# Old\n", days: 70 },
    "docs/深い.md": { text: "# Deep\n", days: 100 },
  });
  utimesSync(join(root, "docs/new.md"), 1_000_000, 1_000_000);

  const { summary, files } = await data("track_documentation_freshness", { docsPath: "docs" });
  expect(freshnessLines({ files })).toEqual([
    "docs/深い.md critical git 100",
    "docs/old.md stale git 70",
    "docs/new.md fresh git 1",
  ]);
  expect(summary).toMatchObject({ total: 3, fresh: 1, stale: 1, critical: 1 });
  const sorted = await data("track_documentation_freshness", {
    docsPath: "docs",
    sortBy: "path",
    preset: "quarterly",
  });
  expect(freshnessLines(sorted)).toEqual([
    "docs/new.md fresh git 1",
    "docs/old.md fresh git 70",
    "docs/深い.md warning git 100",
  ]);
});

test("[repository.freshness.matter] front matter is optional, and the latest date counts", async () => {
  const dated = (days: number) => `---\ndocumcp:\n  last_updated: "${daysAgo(days)}"\n---\n# A\n`;
  const { data, write } = committed({
    "docs/a.md": { text: dated(5), days: 50 },
    "docs/b.md": { text: dated(80), days: 40 },
    "docs/c.md": { text: "---\ndocumcp:\n  last_updated: whenever\n---\n", days: 30.5 },
  });
  write("docs/d.md", "# Not committed\n");

  expect(
    freshnessLines(
      await data("track_documentation_freshness", { docsPath: "docs", sortBy: "path" }),
    ),
  ).toEqual([
    "docs/a.md fresh front matter 5",
    "docs/b.md warning git 40",
    "docs/c.md warning git 31",
    "docs/d.md fresh file 0",
  ]);
});

test("[repository.freshness.inert] repository settings run nothing while its history is read", async () => {
  const { data, root } = committed({
    "docs/a.md": { text: "# A\n", days: 2 },
    "docs/b.md": { text: "# B\n", days: 1 },
  });
  const [program, trace] = [join(root, "evil.sh"), join(root, "trace")];
  writeFileSync(program, `#!/bin/sh\necho run >> ${trace}\nexit 1\n`, { mode: 0o755 });
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", root, ...words], { encoding: "utf8" }).trim();
  for (const [key, value] of [
    ["log.showSignature", "true"],
    ["gpg.program", program],
    ["core.fsmonitor", program],
    ["core.pager", program],
    ["core.sshCommand", program],
    ["diff.external", program],
    ["remote.origin.url", "ssh://example.com/lamp"],
    ["remote.origin.promisor", "true"],
    ["core.repositoryformatversion", "1"],
    ["extensions.partialClone", "origin"],
    ["protocol.ssh.allow", "always"],
  ] as const) {
    git("config", key, value);
  }
  // A part of the history that only the configured program could fetch.
  const tree = git("rev-parse", "HEAD~1^{tree}");
  rmSync(join(root, ".git/objects", tree.slice(0, 2), tree.slice(2)), { force: true });

  const { files } = await data("track_documentation_freshness", { docsPath: "docs" });
  expect(files.length).toBe(2);
  await data("validate_documentation_freshness", { docsPath: "docs", dry_run: true });
  expect(existsSync(trace)).toBe(false);
});

test("[repository.freshness.code] a page older than the code it documents is reported with the file", async () => {
  const { data } = committed({
    "src/lamp.ts": { text: "export function lightLamp(): void {}\n", days: 2 },
    "src/tape.ts": { text: "export function rewindTape(): void {}\n", days: 30 },
    "docs/lamp.md": { text: "Use `lightLamp`.\n", days: 10 },
    "docs/tape.md": { text: "Use `rewindTape`.\n", days: 10 },
  });
  const { files, summary } = await data("track_documentation_freshness", {
    docsPath: "docs",
    projectPath: ".",
  });

  expect(summary.behindCode).toBe(1);
  expect(files.map(({ file, behindCode }: Data) => [file, behindCode?.file])).toEqual([
    ["docs/lamp.md", "src/lamp.ts"],
    ["docs/tape.md", undefined],
  ]);
});

test("[repository.freshness.dates] dates are written only into the front matter, previewed, and undoable", async () => {
  const matter = "---\ntitle: B\n---\r\n# B\n";
  const { data, read, root, output } = committed({
    "docs/a.md": { text: "# A\n\nText.\n", days: 3 },
    "docs/b.md": { text: matter, days: 2 },
    "docs/c.md": { text: "+++\ntitle = 'C'\n+++\n", days: 1 },
  });
  const shown = await data("validate_documentation_freshness", { docsPath: "docs", dry_run: true });
  expect(shown.diff).toContain("+documcp:");
  expect(read("docs/a.md")).toBe("# A\n\nText.\n");

  const done = await data("validate_documentation_freshness", { docsPath: "docs" });
  expect([done.initialized, done.updated, done.filesUpdated]).toEqual([
    2,
    0,
    ["docs/a.md", "docs/b.md"],
  ]);
  expect(done.skipped.map(({ file }: Data) => file)).toEqual(["docs/c.md"]);
  const head = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  expect(read("docs/a.md")).toMatch(
    /^---\ndocumcp:\n {2}last_updated: "\S+"\n {2}last_validated: "\S+"\n {2}update_frequency: "monthly"\n/,
  );
  expect(read("docs/a.md")).toContain(
    `validated_against_commit: "${head}"\n  auto_updated: false\n---\n\n# A\n\nText.\n`,
  );
  expect(read("docs/b.md")).toContain("title: B\n");
  const again = await data("validate_documentation_freshness", { docsPath: "docs" });
  expect([again.initialized, again.updated]).toEqual([0, 0]);
  const renewed = await data("validate_documentation_freshness", {
    docsPath: "docs",
    updateExisting: true,
  });
  expect([renewed.initialized, renewed.updated]).toEqual([0, 2]);
  await output("undo_change", { id: renewed.changeId });
  await output("undo_change", { id: done.changeId });
  expect([read("docs/a.md"), read("docs/b.md")]).toEqual(["# A\n\nText.\n", matter]);
});

test("[repository.freshness.encoding] a page in another encoding is left unchanged, and the others are dated", async () => {
  const { data, root, read } = repositoryLibrary({ "docs/a.md": "# A\n", "docs/b.md": "" });
  const latin = Buffer.from("# Lumi\u00e8re\n", "latin1");
  writeFileSync(join(root, "docs/b.md"), latin);
  const done = await data("validate_documentation_freshness", { docsPath: "docs" });

  expect(done).toMatchObject({ initialized: 1, skipped: [{ file: "docs/b.md" }] });
  expect(read("docs/a.md")).toContain("last_validated");
  expect(readFileSync(join(root, "docs/b.md"))).toEqual(latin);
});
