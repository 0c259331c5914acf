import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { headCommit, lastCommitDates, unreadableHistory } from "./git.ts";

const never = new AbortController().signal;
const anywhere = { allowsFolder: () => true };

/** A folder for repositories, and git in any of them. */
function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-git-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);
  const git = (name: string, ...words: string[]): string =>
    execFileSync("git", ["-C", at(name), ...who, ...words], { encoding: "utf8" });
  const repository = (name: string): string => {
    mkdirSync(at(name));
    git(name, "init", "--quiet");
    writeFileSync(join(at(name), "page.md"), "# Page\n");
    git(name, "add", ".");
    git(name, "commit", "--quiet", "-m", "A page");
    return at(name);
  };
  return { at, git, repository };
}

const who = ["user.name=A", "user.email=a@example.com", "protocol.file.allow=always"].flatMap(
  (setting) => ["-c", setting],
);

const files = async (folder: string, signal = never) => {
  const changes = await lastCommitDates(folder, anywhere, signal);
  return changes instanceof Map ? [...changes.keys()].sort() : [];
};

test("a history is found in a repository, its worktrees and its submodules", async () => {
  const { at, git, repository } = place();
  const root = repository("lamp");
  repository("wick");
  git("lamp", "worktree", "add", "--quiet", at("tree"));
  git("lamp", "submodule", "--quiet", "add", at("wick"), "wick");
  mkdirSync(join(root, "below"));

  expect(await files(root)).toEqual(["page.md"]);
  expect(await files(at("tree"))).toEqual(["page.md"]);
  expect(await files(at("lamp/wick"))).toEqual(["page.md"]);
  expect(await headCommit(at("tree"), anywhere, never)).toBe(
    await headCommit(join(root, "below"), anywhere, never),
  );
});

test("[core.git.elsewhere] a history that a foreign repository locates elsewhere is not read", async () => {
  const { at, git, repository } = place();
  const secret = join(repository("secret"), ".git");
  for (const [name, text] of Object.entries({ file: secret, own: "fake" })) {
    mkdirSync(at(name));
    writeFileSync(join(at(name), "page.md"), "# Page\n");
    writeFileSync(join(at(name), ".git"), `gitdir: ${text}\n`);
  }
  mkdirSync(at("own/fake"));
  writeFileSync(at("own/fake/gitdir"), at("own/.git"));
  writeFileSync(at("own/fake/commondir"), secret);
  writeFileSync(at("own/fake/HEAD"), git("secret", "rev-parse", "HEAD"));
  repository("shared");
  writeFileSync(at("shared/.git/commondir"), secret);
  mkdirSync(at("linked"));
  symlinkSync(secret, at("linked/.git"));
  repository("moved");
  renameSync(at("moved/.git"), at("moved/git"));
  writeFileSync(at("moved/.git"), "gitdir: git\n");

  for (const name of ["file", "own", "shared", "linked", "moved"]) {
    expect(await lastCommitDates(at(name), anywhere, never)).toBe(unreadableHistory);
    expect(await headCommit(at(name), anywhere, never)).toBeUndefined();
  }
});

test("[core.git.ends] an endless settings file is not waited for", async () => {
  const { at, repository } = place();
  const root = repository("lamp");
  rmSync(at("lamp/.git/config"));
  execFileSync("mkfifo", [at("lamp/.git/config")]);

  expect(await lastCommitDates(root, anywhere, AbortSignal.timeout(300))).toBe(unreadableHistory);
  expect(await headCommit(root, anywhere, AbortSignal.timeout(300))).toBeUndefined();
});

test("[core.git.settings] files named by settings are not read, and programs are not started", async () => {
  const { at, git, repository } = place();
  const root = repository("lamp");
  const mark = at("ran");
  const program = `touch ${mark}; true`;
  for (const setting of ["core.fsmonitor", "core.pager", "gpg.program", "diff.external"])
    git("lamp", "config", setting, program);
  git("lamp", "config", "log.showSignature", "true");
  for (const setting of ["diff.orderFile", "mailmap.file"])
    git("lamp", "config", setting, at("endless"));
  execFileSync("mkfifo", [at("endless")]);
  writeFileSync(at("lamp/.gitattributes"), "* diff=x\n");
  git("lamp", "config", "diff.x.textconv", program);

  expect(await files(root, AbortSignal.timeout(10_000))).toEqual(["page.md"]);
  expect(() => realpathSync(mark)).toThrow();
});
