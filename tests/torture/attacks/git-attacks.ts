import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** The environment in which an attack is prepared. */
interface GitTarget {
  /** A clone that is one commit behind its origin. All its files have filter, diff and merge `x`. */
  clone: string;
  /** A folder outside the clone, used only by this attack. */
  outside: string;
  /** A program that leaves a marker when it is run. */
  program: string;
  git(...args: string[]): string;
}

/** A repository that tries to run a program, or to make git work elsewhere. */
export interface GitAttack {
  name: string;
  prepare(target: GitTarget): void;
  /** The text that the refusal must contain; undefined if the pull must succeed. */
  names?: string;
}

/** A setting in the repository's own configuration. */
const setting = (
  key: string,
  value: (target: GitTarget) => string = ({ program }) => program,
): GitAttack => ({
  name: key,
  prepare: (target) => void target.git("config", key, value(target)),
  // Sections and names are case-insensitive; git lists them in lower case.
  names: key.replace(/^[^.]+|[^.]+$/g, (part) => part.toLowerCase()),
});

const constant = (key: string, value: string): GitAttack => setting(key, () => value);

const command = ({ program }: GitTarget): string => `!${program}`;

const programs = [
  ...["remote.origin.uploadpack", "remote.origin.receivepack", "remote.origin.vcs"],
  ...["core.sshCommand", "core.hooksPath", "core.fsmonitor", "core.pager", "core.editor"],
  ...["core.askPass", "core.gitProxy", "core.alternateRefsCommand", "core.virtualFilesystem"],
  ...["pager.log", "pager.fetch", "pager.config", "sequence.editor", "interactive.diffFilter"],
  ...["filter.x.smudge", "filter.x.clean", "filter.x.process", "merge.x.driver"],
  ...["diff.external", "diff.x.command", "diff.x.textconv", "difftool.x.cmd", "mergetool.x.cmd"],
  ...["gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand", "gpg.x509.program"],
  ...["uploadpack.packObjectsHook", "gc.recentObjectsHook", "hook.x.command"],
  ...["browser.x.cmd", "man.x.cmd", "guitool.x.cmd", "trailer.x.command", "tar.x.command"],
  ...["sendemail.smtpServer", "instaweb.httpd", "lfs.customtransfer.x.path"],
  ...["remote.origin.proxy", "http.proxy", "http.cookieFile", "http.https://x/.sslKey"],
].map((key) => setting(key));

const commands = [
  ...["alias.fetch", "alias.merge", "alias.log", "alias.config", "alias.rev-parse"],
  ...["credential.helper", "credential.https://git.example.helper", "submodule.x.update"],
].map((key) => setting(key, command));

const otherAttacks: GitAttack[] = [
  constant("protocol.ext.allow", "always"),
  constant("submodule.recurse", "true"),
  constant("fetch.recurseSubmodules", "true"),
  constant("extensions.refStorage", "reftable"),
  constant("core.repositoryFormatVersion", "9"),
  setting("remote.origin.url", ({ program }) => `ext::${program}`),
  setting("url.ext::x.insteadOf", () => "ssh:"),
  setting("core.worktree", ({ outside }) => outside),
  setting("core.attributesFile", ({ outside }) => outside),
  setting("include.path", (target) => hostileSettings(target)),
  setting("includeIf.gitdir:/.path", (target) => hostileSettings(target)),
  setting("branch.main.merge", ({ program }) => `--upload-pack=${program}`),
  { ...setting("remote.origin.url", option), name: "an option as a host", names: "hostname" },
];

function option({ program }: GitTarget): string {
  return `ssh://-oProxyCommand=${program}/x`;
}

/** A settings file that runs the program. */
function hostileSettings({ outside, program }: GitTarget): string {
  const file = join(outside, "settings");
  writeFileSync(file, `[core]\n\tsshCommand = ${program}\n\tfsmonitor = ${program}\n`);
  return file;
}

const hooks = "fsmonitor-watchman post-checkout post-merge post-index-change pre-auto-gc \
pre-merge-commit reference-transaction post-rewrite update".split(/\s+/);

function addHooks(folder: string, program: string): void {
  mkdirSync(folder, { recursive: true });
  for (const hook of hooks) cpSync(program, join(folder, hook));
}

/** Moves part of the repository outside, and replaces it with a link. */
const replacedWithLink = (part: string): GitAttack => ({
  name: `a link in place of ${part}`,
  prepare({ clone, outside, program }) {
    renameSync(join(clone, ".git", part), join(outside, "moved"));
    if (part === "config") {
      appendFileSync(join(outside, "moved"), `[core]\n\tsshCommand = ${program}\n`);
    }
    symlinkSync(join(outside, "moved"), join(clone, ".git", part));
  },
  names: `.git/${part}`,
});

const relocationAttacks: GitAttack[] = [
  {
    name: "hooks",
    prepare: ({ clone, program }) => addHooks(join(clone, ".git/hooks"), program),
  },
  {
    name: "hooks behind a link",
    prepare({ clone, outside, program }) {
      rmSync(join(clone, ".git/hooks"), { recursive: true, force: true });
      addHooks(join(outside, "hooks"), program);
      symlinkSync(join(outside, "hooks"), join(clone, ".git/hooks"));
    },
  },
  {
    name: "a submodule with settings and hooks",
    prepare({ clone, program, git }) {
      const inner = join(clone, "inner");
      git("clone", "--quiet", "--no-hardlinks", clone, inner);
      addHooks(join(inner, ".git/hooks"), program);
      for (const key of ["core.fsmonitor", "core.sshCommand", "filter.x.clean", "diff.external"])
        git("-C", inner, "config", key, program);
      git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},inner`);
      writeFileSync(
        join(clone, ".gitmodules"),
        `[submodule "inner"]\n\tpath = inner\n\turl = ext::${program}\n\tupdate = !${program}\n`,
      );
    },
  },
  {
    name: "attributes in .git/info",
    prepare({ clone, program, git }) {
      writeFileSync(join(clone, ".git/info/attributes"), "* filter=own diff=own\n");
      git("config", "filter.own.smudge", program);
    },
    names: "filter.own.smudge",
  },
  {
    name: "settings of a worktree",
    prepare({ clone, program, git }) {
      git("config", "extensions.worktreeConfig", "true");
      writeFileSync(join(clone, ".git/config.worktree"), `[core]\n\tsshCommand = ${program}\n`);
    },
    names: "core.sshcommand",
  },
  ...["remotes", "branches"].map((folder) => ({
    name: `a remote in .git/${folder}`,
    prepare({ clone, program, git }: GitTarget) {
      git("config", "--unset", "remote.origin.url");
      mkdirSync(join(clone, ".git", folder), { recursive: true });
      const line = folder === "remotes" ? `URL: ext::${program}\n` : `ext::${program}#main\n`;
      writeFileSync(join(clone, ".git", folder, "origin"), line);
    },
    names: "remote.origin.url",
  })),
  {
    name: "a git folder elsewhere",
    prepare({ clone, outside, program, git }) {
      git("config", "core.sshCommand", program);
      renameSync(join(clone, ".git"), join(outside, "moved"));
      writeFileSync(join(clone, ".git"), `gitdir: ${join(outside, "moved")}\n`);
    },
    names: ".git",
  },
  {
    name: "shared settings elsewhere",
    prepare(target) {
      cpSync(join(target.clone, ".git"), join(target.outside, "shared"), { recursive: true });
      cpSync(hostileSettings(target), join(target.outside, "shared/config"));
      writeFileSync(join(target.clone, ".git/commondir"), join(target.outside, "shared"));
    },
    names: ".git",
  },
  {
    name: "objects of another repository",
    prepare: ({ clone, outside }) =>
      writeFileSync(join(clone, ".git/objects/info/alternates"), `${outside}\n`),
    names: ".git/objects/info/alternates",
  },
  {
    name: "a settings file that is a pipe",
    prepare({ clone }) {
      rmSync(join(clone, ".git/config"));
      execFileSync("mkfifo", [join(clone, ".git/config")]);
    },
    names: ".git/config",
  },
  {
    name: "a remote with the name of an option",
    prepare({ clone, program, git }) {
      const remote = `--upload-pack=${program}`;
      const address = git("config", "remote.origin.url").trim();
      const section = remote.replaceAll("\\", "\\\\");
      appendFileSync(
        join(clone, ".git/config"),
        `[remote "${section}"]\n\turl = ${address}\n\tfetch = +refs/heads/*:refs/remotes/o/*\n`,
      );
      git("config", "branch.main.remote", remote);
    },
  },
  {
    name: "a promisor remote",
    prepare({ program, git }) {
      git("config", "remote.evil.url", `ext::${program}`);
      git("config", "remote.evil.promisor", "true");
      git("config", "extensions.partialClone", "evil");
    },
  },
  ...["config", "HEAD", "index", "objects", "refs", "refs/heads", "objects/pack"].map(
    replacedWithLink,
  ),
];

export const gitAttacks: readonly GitAttack[] = [
  ...programs,
  ...commands,
  ...otherAttacks,
  ...relocationAttacks,
];
