import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { gitPerson } from "../../../tests/fixtures/repository/git-remotes.ts";
import { lastCommitDates, pullRepository, unreadableHistory } from "./git.ts";
import { pullRepositories } from "./pull-repositories.ts";

const never = new AbortController().signal;
const anywhere = { allowsFolder: () => true };
afterEach(() => vi.unstubAllEnvs());

/** Two clones whose origins have new commits; the server of the first never responds. */
function twoClones() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-stalled-")));
  const person = gitPerson(join(folder, "person"));
  for (const [name, value] of Object.entries(person.env)) vi.stubEnv(name, value);
  const origin = person.repository(join(folder, "origin"));
  const clones = ["stalled", "healthy"].map((name) => {
    const path = join(folder, name);
    person.git(folder, "clone", "--quiet", person.addressOf(origin), path);
    return { name, path };
  });
  person.commit(origin, "# New\n");
  const ssh = join(folder, "person", "ssh");
  writeFileSync(
    ssh,
    `#!/bin/sh\ncase "$*" in *stalled.example*) exec sleep 600;; esac\n${readFileSync(ssh, "utf8")}`,
  );
  const address = person.addressOf(origin).replace("git.example", "stalled.example");
  person.git(join(folder, "stalled"), "remote", "set-url", "origin", address);
  const page = (name: string) => readFileSync(join(folder, name, "page.md"), "utf8");
  return { folder, clones, page };
}

test("[core.git.stalled] a stalled repository is named, and the others are pulled meanwhile", async () => {
  const { clones, page } = twoClones();
  const [stalled] = clones;
  const many = [...clones, { name: "again", path: stalled?.path ?? "" }];
  expect(await pullRepositories(many, anywhere, { signal: never, deadlineMs: 10_000 })).toEqual([
    { name: "stalled", result: { problem: "git timed out" } },
    { name: "healthy", result: "pulled" },
    { name: "again", result: { problem: "git timed out" } },
  ]);
  expect(page("healthy")).toBe("# New\n");
});

test("[core.git.stalled] if no time is left, the timeout is reported", async () => {
  const { clones } = twoClones();
  expect(
    await pullRepositories(clones, anywhere, { signal: AbortSignal.abort(), deadlineMs: 4_000 }),
  ).toEqual(clones.map(({ name }) => ({ name, result: { problem: "git timed out" } })));
});

test.each([
  ".gitattributes",
  ".mailmap",
  ".gitignore",
  ".gitmodules",
  "deep/er/.gitattributes",
  ".git/objects/info/commit-graphs/commit-graph-chain",
  ".git/objects/info/a/b/c",
])("[core.git.pipes] a pipe at %s is refused before git waits for it", async (place) => {
  const { folder } = twoClones();
  const clone = join(folder, "healthy");
  const pipe = join(clone, place);
  mkdirSync(join(pipe, ".."), { recursive: true });
  execFileSync("mkfifo", [pipe]);
  expect(await pullRepository(clone, anywhere, never)).toEqual({
    problem: `${place} is a link out of the repository, or not a regular file`,
  });
  expect(await lastCommitDates(clone, anywhere, never)).toBe(unreadableHistory);
});
