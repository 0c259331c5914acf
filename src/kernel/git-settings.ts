/** A setting as git lists it: `branch.main.remote`, with no value where only its name is written. */
export interface GitSetting {
  key: string;
  value: string | undefined;
}

/** Reads what `git config --list -z` prints. */
export const readSettings = (listed: string): GitSetting[] =>
  listed
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const end = entry.indexOf("\n");
      return end < 0
        ? { key: entry, value: undefined }
        : { key: entry.slice(0, end), value: entry.slice(end + 1) };
    });

/** Writes settings as a file that git reads. */
export function writtenSettings(settings: readonly GitSetting[]): string {
  return settings
    .map(({ key, value }) => {
      const { section, subsection, name } = partsOf(key);
      const heading = subsection === undefined ? section : `${section} "${quoted(subsection)}"`;
      const given = value === undefined ? "" : ` = "${quoted(value).replaceAll("\n", "\\n")}"`;
      return `[${heading}]\n\t${name}${given}\n`;
    })
    .join("");
}

const quoted = (text: string): string => text.replace(/["\\]/g, "\\$&");

export const valuesOf = (settings: readonly GitSetting[], key: string): string[] =>
  settings.filter((setting) => setting.key === key).map(({ value = "" }) => value);

/** A key is `section.name` or `section.subsection.name`; only a subsection may hold dots. */
function partsOf(key: string) {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const subsection = first === last ? undefined : key.slice(first + 1, last);
  return { section: key.slice(0, first), subsection, name: key.slice(last + 1) };
}

/** The settings of a repository that say how its files are laid out, and nothing else. */
const layout = new Set(
  [
    ...["autocrlf", "checkstat", "eol", "filemode", "ignorecase", "precomposeunicode"],
    ...["repositoryformatversion", "safecrlf", "sparsecheckout", "sparsecheckoutcone"],
    ...["symlinks", "trustctime"],
  ].map((name) => `core.${name}`),
).add("extensions.objectformat");

export const layoutAmong = (settings: readonly GitSetting[]): GitSetting[] =>
  settings.filter(({ key }) => layout.has(key));

/** The settings of a branch's remote that only say what is fetched from it. */
export function remoteAmong(settings: readonly GitSetting[], remote: string): GitSetting[] {
  const names = ["url", "fetch", "promisor", "partialclonefilter"];
  const wanted = new Set(names.map((name) => `remote.${remote}.${name}`));
  return settings.filter(
    ({ key, value }) => wanted.has(key) || (key === "extensions.partialclone" && value === remote),
  );
}

/**
 * The first setting that names a program, a file or another place to fetch from, or that asks for
 * more than is understood here. Whoever sets one of these in their own configuration may do so;
 * a repository may come from a stranger.
 */
export const refusedAmong = (settings: readonly GitSetting[]): string | undefined =>
  settings.find(isRefused)?.key;

function isRefused({ key, value }: GitSetting): boolean {
  const { section, subsection, name } = partsOf(key);
  if (section === "extensions") return !knownExtensions.has(name);
  if (key === "core.repositoryformatversion") return !["0", "1"].includes(value ?? "");
  // A switch that is off, as `core.fsmonitor` is in many repositories.
  if (switches.has(key)) return !["false", "no", "off", "0", ""].includes(value ?? "true");
  if (section === "submodule" && name === "update") return value?.startsWith("!") ?? true;
  if (section === "http") return !harmlessHttp.has(name);
  const isForAll = refusedSections.has(section);
  return isForAll || refused.has(`${section}${subsection === undefined ? "" : ".*"}.${name}`);
}

const knownExtensions = new Set([
  ...["noop", "noop-v1", "objectformat", "partialclone", "preciousobjects"],
  ...["relativeworktrees", "worktreeconfig"],
]);

const switches = new Set(["core.fsmonitor", "fetch.recursesubmodules", "submodule.recurse"]);

const harmlessHttp = new Set(["lowspeedlimit", "lowspeedtime", "maxrequests", "postbuffer"]);

const refusedSections = new Set([
  ...["alias", "browser", "credential", "difftool", "filter", "guitool", "hook", "imap"],
  ...["include", "includeif", "instaweb", "interactive", "man", "mergetool", "pager", "protocol"],
  ...["sendemail", "sequence", "ssh", "trace2", "uploadpack", "url", "web"],
]);

const refused = new Set([
  ...["alternaterefscommand", "askpass", "attributesfile", "editor", "excludesfile"].map(inCore),
  ...["gitproxy", "hookspath", "pager", "sshcommand", "virtualfilesystem"].map(inCore),
  ...["proxy", "proxyauthmethod", "receivepack", "uploadpack", "vcs"].map((n) => `remote.*.${n}`),
  ...["diff.external", "diff.orderfile", "diff.*.command", "diff.*.textconv", "merge.*.driver"],
  ...["blame.ignorerevsfile", "commit.template", "init.templatedir", "mailmap.file"],
  ...["gc.recentobjectshook", "gpg.program", "gpg.*.program", "gpg.*.defaultkeycommand"],
  ...["fetch.bundleuri", "trailer.*.cmd", "trailer.*.command", "tar.*.command"],
  ...["lfs.standalonetransferagent", "lfs.*.clean", "lfs.*.path", "lfs.*.smudge"],
]);

function inCore(name: string): string {
  return `core.${name}`;
}

/** The protocol of an address, where it is another than https and ssh. */
export function refusedProtocol(address: string): string | undefined {
  const [, helper] = /^([\w+.-]+)::/.exec(address) ?? [];
  const [, scheme] = /^([\w+.-]+):\/\//.exec(address) ?? [];
  const named = helper ?? scheme;
  if (named !== undefined)
    return helper === undefined && allowedSchemes.has(named) ? undefined : named;
  // `user@host:path`; a slash before the colon makes it a path.
  const isRemote = /^(?:[^/:\s-][^/:\s]*|(?:[^/:\s-][^/:\s]*@)?\[[^/\]\s]+\]):/.test(address);
  return isRemote ? undefined : "file";
}

const allowedSchemes = new Set(["https", "ssh", "git+ssh", "ssh+git"]);
