/** What a folder is to the project that it lies in, by its name and those above it. */
export interface FolderRole {
  /** Others' code, or what a build has made. */
  vendored: boolean;
  /** Samples and fixtures: projects in them are shown or tried, and are not this project. */
  sample: boolean;
  /** The outermost folder of tests that it is in, or none. */
  tests: string | undefined;
  /** In a folder whose name begins with a dot. */
  hidden: boolean;
}

const vendored =
  /^(vendor|vendors|vendored|deps|extern|externals?|third[-_]?party|3rdparty|node_modules|bower_components|jspm_packages|pods|carthage|dist|build|out|target|coverage|site-packages|__pycache__|venv)$/i;

const sample =
  /^(examples?|samples?|demos?|fixtures?|__fixtures__|test[-_]?(data|fixtures|assets|resources)|testdata|templates?|skeletons?|playgrounds?|sandbox|boilerplates?|starters?|__mocks__|mocks|stubs|snapshots|__snapshots__)$/i;

/** `tests`, `e2e-tests`, `Lamp.Tests`, `LampTests`; never the letters within another word. */
const tests =
  /^([a-z0-9_.-]*[-_.])?(tests?|e2e)$|^(specs?|__tests?__|tests-[a-z0-9-]+|test[-_]?suite|cypress)$/i;
const testsByCase = /[a-z0-9](Tests?|Specs)$|\.Tests?[A-Z]\w*$/;

export const isTestsName = (name: string): boolean => tests.test(name) || testsByCase.test(name);

/**
 * Tells the role of folders, remembering each, since every file asks. `excluded` are folders that
 * the project's own workspace says are not of it, `members` those that it says are its products.
 */
export function folderRoles({
  excluded = [],
  members = [],
}: {
  excluded?: readonly string[];
  members?: readonly string[];
} = {}): (folder: string) => FolderRole {
  const apart = new Set(excluded);
  const products = new Set(members);
  const known = new Map<string, FolderRole>([
    ["", { vendored: false, sample: false, tests: undefined, hidden: false }],
  ]);
  return roleOf;

  function roleOf(folder: string): FolderRole {
    const before = known.get(folder);
    if (before) return before;
    const slash = folder.lastIndexOf("/");
    const above = roleOf(folder.slice(0, Math.max(slash, 0)));
    const name = folder.slice(slash + 1);
    const role = {
      vendored: above.vendored || vendored.test(name),
      sample: above.sample || sample.test(name) || apart.has(folder),
      tests: above.tests ?? (isTestsName(name) && !products.has(folder) ? folder : undefined),
      hidden: above.hidden || name.startsWith("."),
    };
    known.set(folder, role);
    return role;
  }
}

/** `docs/a` of `docs/a/b.md`; empty for what lies at the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
