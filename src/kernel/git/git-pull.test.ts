import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { gitPerson } from "../../../tests/fixtures/repository/git-remotes.ts";
import { containsPath } from "../paths/boundary.ts";
import { headCommit, pullRepository } from "./git.ts";

const never = new AbortController().signal;
const anywhere = { allowsFolder: () => true };
afterEach(() => vi.unstubAllEnvs());

/** A clone with a page that has changed at its origin. */
function cloned(...options: string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-pull-")));
  const person = gitPerson(join(folder, "person"));
  for (const [name, value] of Object.entries(person.env)) vi.stubEnv(name, value);
  const origin = person.repository(join(folder, "origin"));
  person.git(origin, "config", "uploadpack.allowFilter", "true");
  person.commit(origin, "# Second\n", "second.md");
  const clone = join(folder, "clone");
  person.git(folder, "clone", "--quiet", ...options, person.addressOf(origin), clone);
  person.commit(origin, "# New\n");
  const git = (...words: string[]) => person.git(clone, ...words);
  const page = (place = clone) => readFileSync(join(place, "page.md"), "utf8");
  return { ...person, folder, origin, clone, git, page };
}

const problemOf = async (folder: string): Promise<string> => {
  const ended = await pullRepository(folder, anywhere, never);
  return typeof ended === "string" ? ended : ended.problem;
};

describe("[core.git.pull] a pull fast-forwards the checked-out branch", () => {
  test("and leaves the repository as git would", async () => {
    const { origin, clone, git, page } = cloned();
    mkdirSync(join(clone, "below"));

    expect(await pullRepository(join(clone, "below"), anywhere, never)).toBe("pulled");
    expect(page()).toBe("# New\n");
    expect(git("status", "--short", "--branch")).toBe("## main...origin/main\n");
    expect(git("rev-parse", "HEAD")).toBe(gitIn(origin)("rev-parse", "HEAD"));
    expect(git("fsck")).toBe("");
    expect(await pullRepository(clone, anywhere, never)).toBe("pulled");
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("lectern-git-"))).toEqual([]);
  });

  const gitIn = (place: string) => (word: string, other: string) =>
    gitPerson(join(place, "../again")).git(place, word, other);

  test.each([
    ["shallow", ["--depth", "1"]],
    ["partial", ["--filter=blob:none"]],
    ["sparse", ["--sparse"]],
  ])("in a %s clone", async (_kind, options) => {
    const { clone, git, page, origin, commit } = cloned(...options);
    commit(origin, "# Third\n", "third.md");

    expect(await pullRepository(clone, anywhere, never)).toBe("pulled");
    expect(page()).toBe("# New\n");
    expect(git("status", "--short", "--branch")).toBe("## main...origin/main\n");
  });

  test("in a worktree, with a split index and with packed references", async () => {
    const { folder, clone, git, page } = cloned();
    git("pack-refs", "--all");
    git("worktree", "add", "--quiet", "--track", "-b", "side", join(folder, "side"), "origin/main");
    git("update-index", "--split-index");

    expect(await pullRepository(join(folder, "side"), anywhere, never)).toBe("pulled");
    expect(page(join(folder, "side"))).toBe("# New\n");
    expect(await pullRepository(clone, anywhere, never)).toBe("pulled");
    expect(page()).toBe("# New\n");
    expect(git("status", "--short")).toBe("");
  });

  test("in a submodule, and in what holds one", async () => {
    const { folder, origin, repository, git, commit, addressOf, page } = cloned();
    const outer = repository(join(folder, "outer"));
    const inOuter = (...words: string[]) => git("-C", outer, ...words);
    inOuter("submodule", "--quiet", "add", addressOf(origin), "inner");
    inOuter("commit", "--quiet", "-m", "inner");
    const copy = join(folder, "copy");
    git("clone", "--quiet", "--recurse-submodules", addressOf(outer), copy);
    git("-C", join(copy, "inner"), "checkout", "--quiet", "main");
    commit(origin, "# Newer\n");
    commit(outer, "# Outer\n");

    expect(await pullRepository(join(copy, "inner"), anywhere, never)).toBe("pulled");
    expect(page(join(copy, "inner"))).toBe("# Newer\n");
    expect(await pullRepository(copy, anywhere, never)).toBe("pulled");
    expect(page(copy)).toBe("# Outer\n");
  });

  test("unless something is in its way", async () => {
    const { clone, git, page, commit } = cloned();
    writeFileSync(join(clone, "page.md"), "# Mine\n");
    expect(await problemOf(clone)).toMatch(/local changes .* would be overwritten/);
    expect(page()).toBe("# Mine\n");
    commit(clone, "# Mine\n");
    expect(await problemOf(clone)).toMatch(/Not possible to fast-forward/);
    git("checkout", "--quiet", "-b", "own");
    expect(await problemOf(clone)).toBe("the branch own has no upstream branch");
    git("checkout", "--quiet", "--detach");
    expect(await problemOf(clone)).toBe("no branch is checked out");
    expect(await pullRepository(join(clone, ".."), anywhere, never)).toBe("no repository");
  });
});

test("[core.git.ends] a pull ends with its call, whatever it is waiting for", async () => {
  const { clone, env, page } = cloned();
  writeFileSync(join(env.GIT_CONFIG_GLOBAL ?? "", "../ssh"), "#!/bin/sh\nexec sleep 600\n");

  expect(await pullRepository(clone, anywhere, AbortSignal.timeout(1_000))).toEqual({
    problem: "git timed out",
  });
  expect(page()).toBe("# Page\n");
});

test("[core.git.force-root] a repository outside the boundary is ignored", async () => {
  const { clone, folder, git, page } = cloned();
  git("worktree", "add", "--quiet", "--track", "-b", "side", join(folder, "side"), "origin/main");
  mkdirSync(join(clone, "below"));
  const within = (fence: string) => ({
    allowsFolder: (place: string) => containsPath(fence, place),
  });
  const below = join(clone, "below");

  expect(await pullRepository(below, within(below), never)).toBe("no repository");
  expect(await headCommit(below, within(below), never)).toBeUndefined();
  expect(await headCommit(below, within(clone), never)).toBe(git("rev-parse", "HEAD").trim());
  expect(await pullRepository(join(folder, "side"), within(join(folder, "side")), never)).toEqual({
    problem: ".git is a link out of the repository, or not a regular file",
  });
  expect(page()).toBe("# Page\n");
});

describe("[core.git.personal] the user's own git configuration is used", () => {
  test("including files included for certain folders", async () => {
    const { clone, env, page } = cloned();
    const config = env.GIT_CONFIG_GLOBAL ?? "";
    const text = readFileSync(config, "utf8");
    writeFileSync(`${config}-work`, `${text}[x "a.\\"b\\\\"]\n\ty = " two\\nlines; # "\n\tz\n`);
    writeFileSync(config, `[includeIf "gitdir:${join(clone, "..")}/"]\n\tpath = gitconfig-work\n`);

    expect(await pullRepository(clone, anywhere, never)).toBe("pulled");
    expect(page()).toBe("# New\n");
  });

  test("and their own filters, as with their own git", async () => {
    const { clone, origin, env, commit, page } = cloned();
    appendFileSync(env.GIT_CONFIG_GLOBAL ?? "", '[filter "loud"]\n\tsmudge = tr a-z A-Z\n');
    commit(origin, "page.md filter=loud\n", ".gitattributes");
    commit(origin, "# Newest\n");

    expect(await pullRepository(clone, anywhere, never)).toBe("pulled");
    expect(page()).toBe("# NEWEST\n");
  });

  test("but not variables of the parent process about repositories", async () => {
    const { clone, folder, repository, page } = cloned();
    const other = repository(join(folder, "other"));
    vi.stubEnv("GIT_DIR", join(other, ".git"));
    vi.stubEnv("GIT_WORK_TREE", other);
    vi.stubEnv("GIT_INDEX_FILE", join(other, ".git/index"));
    vi.stubEnv("GIT_ALLOW_PROTOCOL", "file:ext");
    vi.stubEnv("GIT_EXTERNAL_DIFF", "false");

    expect(await pullRepository(clone, anywhere, never)).toBe("pulled");
    expect(page()).toBe("# New\n");
    expect(page(other)).toBe("# Page\n");
  });
});

describe("[core.git.protocols] only https and ssh are allowed", () => {
  test.each([
    ["/elsewhere/origin", "file"],
    ["../origin", "file"],
    ["file:///elsewhere/origin", "file"],
    ["http://git.example/origin", "http"],
    ["git://git.example/origin", "git"],
    ["ftp://git.example/origin", "ftp"],
    ["ext::sh -c true", "ext"],
    ["ssh::x", "ssh"],
    ["fd::0", "fd"],
    ["a/b:c", "file"],
    ["-x:c", "file"],
  ])("%s is refused", async (address, protocol) => {
    const { clone, git, page } = cloned();
    git("config", "remote.origin.url", address);

    expect(await problemOf(clone)).toBe(
      `the setting remote.origin.url uses the protocol '${protocol}'; only https and ssh are allowed`,
    );
    expect(page()).toBe("# Page\n");
  });

  test("a person's URL aliases cannot bypass the check", async () => {
    const { clone, origin, env, git } = cloned();
    appendFileSync(env.GIT_CONFIG_GLOBAL ?? "", `[url "file://${origin}"]\n\tinsteadOf = own:x\n`);
    git("config", "remote.origin.url", "own:x");

    expect(await problemOf(clone)).toBe("fatal: transport 'file' not allowed");
  });

  test("host:path is ssh", async () => {
    const { clone, origin, git, page } = cloned();
    git("config", "remote.origin.url", `git@git.example:${origin}`);

    expect(await pullRepository(clone, anywhere, never)).toBe("pulled");
    expect(page()).toBe("# New\n");
  });
});

test("[core.git.elsewhere] a repository with parts outside its folder is not pulled", async () => {
  const kinds: Record<string, (clone: string, other: string) => void> = {
    ".git": (clone, other) => {
      renameSync(join(clone, ".git"), join(other, "moved"));
      writeFileSync(join(clone, ".git"), `gitdir: ${join(other, "moved")}\n`);
    },
    ".git/objects/info/alternates": (clone, other) =>
      writeFileSync(join(clone, ".git/objects/info/alternates"), `${other}/.git/objects\n`),
  };
  for (const part of ["HEAD", "config", "index", "objects", "refs", "refs/heads", "objects/pack"]) {
    kinds[`.git/${part}`] = (clone, other) => {
      renameSync(join(clone, ".git", part), join(other, "moved"));
      symlinkSync(join(other, "moved"), join(clone, ".git", part));
    };
  }
  for (const [refused, move] of Object.entries(kinds)) {
    const { folder, clone, repository, page } = cloned();
    move(clone, repository(join(folder, "other")));

    expect(await problemOf(clone)).toBe(
      `${refused} is a link out of the repository, or not a regular file`,
    );
    expect(page()).toBe("# Page\n");
  }
});

test("[core.git.pipes] a pipe among git's own files is refused without blocking", async () => {
  const parts = ["HEAD", "config", "index", "packed-refs", "refs/heads/main", "logs/HEAD"];
  for (const part of [...parts, "refs/remotes/origin/a/b", "objects/pack/a.idx"]) {
    const { clone, page } = cloned();
    const place = join(clone, ".git", part);
    mkdirSync(dirname(place), { recursive: true });
    rmSync(place, { force: true });
    execFileSync("mkfifo", [place]);

    expect(await problemOf(clone)).toBe(
      `.git/${part} is a link out of the repository, or not a regular file`,
    );
    expect(await headCommit(clone, anywhere, never)).toBeUndefined();
    expect(page()).toBe("# Page\n");
  }
});

test.skipIf(process.getuid?.() !== 0)(
  "[core.git.owner] another user's repository is pulled only if safe.directory lists it",
  async () => {
    const { clone, env, page } = cloned();
    chownSync(join(clone, ".git"), 12_345, 12_345);
    expect(await problemOf(clone)).toContain("add it to safe.directory if you trust it");
    expect(page()).toBe("# Page\n");

    execFileSync("git", ["config", "--global", "safe.directory", clone], {
      env: { ...process.env, ...env },
    });
    expect(await problemOf(clone)).toBe("pulled");
    expect(page()).toBe("# New\n");
  },
);

test("[core.git.settings] settings changed while git is running have no effect", async () => {
  const { clone, folder, origin, git, page, commit } = cloned();
  const [config, mark] = [join(clone, ".git/config"), join(folder, "ran")];
  commit(origin, "* filter=x\n", ".gitattributes");
  writeFileSync(join(folder, "plain"), readFileSync(config));
  for (const key of ["core.sshCommand", "filter.x.smudge", "remote.origin.uploadpack"])
    git("config", key, `touch ${mark}; false`);
  writeFileSync(join(folder, "hostile"), readFileSync(config));
  const swaps = `while :; do cp plain new; mv new ${config}; cp hostile new; mv new ${config}; done`;
  const swapping = spawn("sh", ["-c", swaps], { cwd: folder, stdio: "ignore" });
  try {
    let pulled = 0;
    for (let turn = 0; pulled < 5 && turn < 500; turn++) {
      const text = `# Turn ${turn}\n`;
      commit(origin, text);
      const ended = await problemOf(clone);
      if (ended === "pulled") {
        pulled++;
        expect(page()).toBe(text);
      } else expect(ended).toMatch(/own setting (core\.sshcommand|filter\.x\.smudge|remote)/);
    }
    expect(pulled).toBe(5);
  } finally {
    swapping.kill("SIGKILL");
  }
  expect(existsSync(mark)).toBe(false);
});
