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

/** Where an attack is prepared. */
interface GitGround {
  /** A clone that is one commit behind its origin. All its files have filter, diff and merge `x`. */
  clone: string;
  /** A folder outside of the clone, of this attack's own. */
  outside: string;
  /** A program that leaves a mark when it is run. */
  program: string;
  git(...words: string[]): string;
}

/** A repository that tries to run a program, or to have git work elsewhere. */
export interface GitAttack {
  name: string;
  prepare(ground: GitGround): void;
  /** What the refusal of a pull has to name; where nothing is, the pull goes on without it. */
  names?: string;
}

/** A setting in the repository's own configuration. */
const setting = (
  key: string,
  value: (ground: GitGround) => string = ({ program }) => program,
): GitAttack => ({
  name: key,
  prepare: (ground) => void ground.git("config", key, value(ground)),
  // Git knows the section and the name in any case, and lists them in lower case.
  names: key.replace(/^[^.]+|[^.]+$/g, (part) => part.toLowerCase()),
});

const constant = (key: string, value: string): GitAttack => setting(key, () => value);

const command = ({ program }: GitGround): string => `!${program}`;

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

const other: GitAttack[] = [
  constant("protocol.ext.allow", "always"),
  constant("submodule.recurse", "true"),
  constant("fetch.recurseSubmodules", "true"),
  constant("extensions.refStorage", "reftable"),
  constant("core.repositoryFormatVersion", "9"),
  setting("remote.origin.url", ({ program }) => `ext::${program}`),
  setting("url.ext::x.insteadOf", () => "ssh:"),
  setting("core.worktree", ({ outside }) => outside),
  setting("core.attributesFile", ({ outside }) => outside),
  setting("include.path", (ground) => hostileSettings(ground)),
  setting("includeIf.gitdir:/.path", (ground) => hostileSettings(ground)),
  setting("branch.main.merge", ({ program }) => `--upload-pack=${program}`),
  { ...setting("remote.origin.url", option), name: "an option as a host", names: "hostname" },
];

function option({ program }: GitGround): string {
  return `ssh://-oProxyCommand=${program}/x`;
}

/** A file of settings that run the program. */
function hostileSettings({ outside, program }: GitGround): string {
  const file = join(outside, "settings");
  writeFileSync(file, `[core]\n\tsshCommand = ${program}\n\tfsmonitor = ${program}\n`);
  return file;
}

const hooks = "fsmonitor-watchman post-checkout post-merge post-index-change pre-auto-gc \
pre-merge-commit reference-transaction post-rewrite update".split(/\s+/);

function hookAll(folder: string, program: string): void {
  mkdirSync(folder, { recursive: true });
  for (const hook of hooks) cpSync(program, join(folder, hook));
}

/** Moves a part of the repository outside, and leaves a link in its place. */
const linked = (part: string): GitAttack => ({
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

const places: GitAttack[] = [
  {
    name: "hooks",
    prepare: ({ clone, program }) => hookAll(join(clone, ".git/hooks"), program),
  },
  {
    name: "hooks by a link",
    prepare({ clone, outside, program }) {
      rmSync(join(clone, ".git/hooks"), { recursive: true, force: true });
      hookAll(join(outside, "hooks"), program);
      symlinkSync(join(outside, "hooks"), join(clone, ".git/hooks"));
    },
  },
  {
    name: "a submodule with settings and hooks",
    prepare({ clone, program, git }) {
      const inner = join(clone, "inner");
      git("clone", "--quiet", "--no-hardlinks", clone, inner);
      hookAll(join(inner, ".git/hooks"), program);
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
    name: "attributes of the repository alone",
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
    prepare({ clone, program, git }: GitGround) {
      git("config", "--unset", "remote.origin.url");
      mkdirSync(join(clone, ".git", folder), { recursive: true });
      const line = folder === "remotes" ? `URL: ext::${program}\n` : `ext::${program}#main\n`;
      writeFileSync(join(clone, ".git", folder, "origin"), line);
    },
    names: "remote.origin.url",
  })),
  {
    name: "a repository elsewhere",
    prepare({ clone, outside, program, git }) {
      git("config", "core.sshCommand", program);
      renameSync(join(clone, ".git"), join(outside, "moved"));
      writeFileSync(join(clone, ".git"), `gitdir: ${join(outside, "moved")}\n`);
    },
    names: ".git",
  },
  {
    name: "shared settings elsewhere",
    prepare(ground) {
      cpSync(join(ground.clone, ".git"), join(ground.outside, "shared"), { recursive: true });
      cpSync(hostileSettings(ground), join(ground.outside, "shared/config"));
      writeFileSync(join(ground.clone, ".git/commondir"), join(ground.outside, "shared"));
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
    name: "settings that never end",
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
    name: "a promise of another remote",
    prepare({ program, git }) {
      git("config", "remote.evil.url", `ext::${program}`);
      git("config", "remote.evil.promisor", "true");
      git("config", "extensions.partialClone", "evil");
    },
  },
  ...["config", "HEAD", "index", "objects", "refs", "refs/heads", "objects/pack"].map(linked),
];

export const gitAttacks: readonly GitAttack[] = [...programs, ...commands, ...other, ...places];
