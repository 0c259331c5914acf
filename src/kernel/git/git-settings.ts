/**
 * A setting as listed by git: `branch.main.remote`. The value is undefined for a key without `=`.
 */
export interface GitSetting {
  key: string;
  value: string | undefined;
}

/** Parses the output of `git config --list -z`. */
export const parseGitSettings = (listed: string): GitSetting[] =>
  listed
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const end = entry.indexOf("\n");
      return end < 0
        ? { key: entry, value: undefined }
        : { key: entry.slice(0, end), value: entry.slice(end + 1) };
    });

/** Formats settings as a git configuration file. */
export function formatGitSettings(settings: readonly GitSetting[]): string {
  return settings
    .map(({ key, value }) => {
      const { section, subsection, name } = splitKey(key);
      const heading =
        subsection === undefined ? section : `${section} "${escapeQuotes(subsection)}"`;
      const assignment =
        value === undefined ? "" : ` = "${escapeQuotes(value).replaceAll("\n", "\\n")}"`;
      return `[${heading}]\n\t${name}${assignment}\n`;
    })
    .join("");
}

const escapeQuotes = (text: string): string => text.replace(/["\\]/g, "\\$&");

export const settingValues = (settings: readonly GitSetting[], key: string): string[] =>
  settings.filter((setting) => setting.key === key).map(({ value = "" }) => value);

/** A key is `section.name` or `section.subsection.name`; only a subsection may contain dots. */
function splitKey(key: string) {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const subsection = first === last ? undefined : key.slice(first + 1, last);
  return { section: key.slice(0, first), subsection, name: key.slice(last + 1) };
}

/** The settings of a repository that only affect the layout of its files. */
const layoutKeys = new Set(
  [
    ...["autocrlf", "checkstat", "eol", "filemode", "ignorecase", "precomposeunicode"],
    ...["repositoryformatversion", "safecrlf", "sparsecheckout", "sparsecheckoutcone"],
    ...["symlinks", "trustctime"],
  ].map((name) => `core.${name}`),
).add("extensions.objectformat");

export const layoutSettings = (settings: readonly GitSetting[]): GitSetting[] =>
  settings.filter(({ key }) => layoutKeys.has(key));

/** The settings of a remote that only determine what is fetched from it. */
export function remoteSettings(settings: readonly GitSetting[], remote: string): GitSetting[] {
  const names = ["url", "fetch", "promisor", "partialclonefilter"];
  const wanted = new Set(names.map((name) => `remote.${remote}.${name}`));
  return settings.filter(
    ({ key, value }) => wanted.has(key) || (key === "extensions.partialclone" && value === remote),
  );
}

/**
 * The first setting that names a program, a file or another URL to fetch from, or that is an
 * unknown extension. Users may have such settings in their own configuration, but a repository may
 * be untrusted.
 */
export const findRefusedSetting = (settings: readonly GitSetting[]): string | undefined =>
  settings.find(isRefused)?.key;

function isRefused({ key, value }: GitSetting): boolean {
  const { section, subsection, name } = splitKey(key);
  if (section === "extensions") return !knownExtensions.has(name);
  if (key === "core.repositoryformatversion") return !["0", "1"].includes(value ?? "");
  // A disabled switch is harmless; many repositories have `core.fsmonitor = false`.
  if (booleanSwitches.has(key)) return !["false", "no", "off", "0", ""].includes(value ?? "true");
  if (section === "submodule" && name === "update") return value?.startsWith("!") ?? true;
  if (section === "http") return !harmlessHttp.has(name);
  return (
    refusedSections.has(section) ||
    refusedKeys.has(`${section}${subsection === undefined ? "" : ".*"}.${name}`)
  );
}

const knownExtensions = new Set([
  ...["noop", "noop-v1", "objectformat", "partialclone", "preciousobjects"],
  ...["relativeworktrees", "worktreeconfig"],
]);

const booleanSwitches = new Set(["core.fsmonitor", "fetch.recursesubmodules", "submodule.recurse"]);

const harmlessHttp = new Set(["lowspeedlimit", "lowspeedtime", "maxrequests", "postbuffer"]);

const refusedSections = new Set([
  ...["alias", "browser", "credential", "difftool", "filter", "guitool", "hook", "imap"],
  ...["include", "includeif", "instaweb", "interactive", "man", "mergetool", "pager", "protocol"],
  ...["sendemail", "sequence", "ssh", "trace2", "uploadpack", "url", "web"],
]);

const refusedKeys = new Set([
  ...["alternaterefscommand", "askpass", "attributesfile", "editor", "excludesfile"].map(coreKey),
  ...["gitproxy", "hookspath", "pager", "sshcommand", "virtualfilesystem"].map(coreKey),
  ...["proxy", "proxyauthmethod", "receivepack", "uploadpack", "vcs"].map((n) => `remote.*.${n}`),
  ...["diff.external", "diff.orderfile", "diff.*.command", "diff.*.textconv", "merge.*.driver"],
  ...["blame.ignorerevsfile", "commit.template", "init.templatedir", "mailmap.file"],
  ...["gc.recentobjectshook", "gpg.program", "gpg.*.program", "gpg.*.defaultkeycommand"],
  ...["fetch.bundleuri", "trailer.*.cmd", "trailer.*.command", "tar.*.command"],
  ...["lfs.standalonetransferagent", "lfs.*.clean", "lfs.*.path", "lfs.*.smudge"],
]);

function coreKey(name: string): string {
  return `core.${name}`;
}

/** The protocol of a URL, unless it is https or ssh. */
export function refusedProtocol(url: string): string | undefined {
  const [, helper] = /^([\w+.-]+)::/.exec(url) ?? [];
  const [, scheme] = /^([\w+.-]+):\/\//.exec(url) ?? [];
  const named = helper ?? scheme;
  if (named !== undefined)
    return helper === undefined && allowedSchemes.has(named) ? undefined : named;
  // `user@host:path`; a slash before the colon makes it a path.
  const isRemote = /^(?:[^/:\s-][^/:\s]*|(?:[^/:\s-][^/:\s]*@)?\[[^/\]\s]+\]):/.test(url);
  return isRemote ? undefined : "file";
}

const allowedSchemes = new Set(["https", "ssh", "git+ssh", "ssh+git"]);
