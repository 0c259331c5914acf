import { baseNameOf } from "../../../text/strings/relative-path.ts";

/** The role of a folder in its project, by its name and those of its ancestors. */
export interface FolderRole {
  /** Third-party code or build output. */
  vendored: boolean;
  /** Samples and fixtures: projects in them are not part of this project. */
  sample: boolean;
  /** The outermost test folder that contains it. */
  tests: string | undefined;
  /** Whether it or an ancestor has a name that starts with a dot. */
  hidden: boolean;
}

const vendoredName =
  /^(vendor|vendors|vendored|deps|extern|externals?|third[-_]?party|3rdparty|node_modules|bower_components|jspm_packages|pods|carthage|dist|build|out|target|coverage|site-packages|__pycache__|venv)$/i;

const sampleName =
  /^(examples?|samples?|demos?|fixtures?|__fixtures__|test[-_]?(data|fixtures|assets|resources)|testdata|templates?|skeletons?|playgrounds?|sandbox|boilerplates?|starters?|__mocks__|mocks|stubs|snapshots|__snapshots__)$/i;

/** `tests`, `e2e-tests`, `Lamp.Tests`, `LampTests`; never a part of another word. */
const testsName =
  /^([a-z0-9_.-]*[-_.])?(tests?|e2e)$|^(specs?|__tests?__|tests-[a-z0-9-]+|test[-_]?suite|cypress)$/i;
const testsNameByCase = /[a-z0-9](Tests?|Specs)$|\.Tests?[A-Z]\w*$/;

export const isTestFolderName = (name: string): boolean =>
  testsName.test(name) || testsNameByCase.test(name);

/**
 * Returns a memoized function from folders to roles. `excluded` are folders that the workspace
 * excludes, `members` are its packages.
 */
export function createFolderRoles({
  excluded = [],
  members = [],
}: {
  excluded?: readonly string[];
  members?: readonly string[];
} = {}): (folder: string) => FolderRole {
  const excludedFolders = new Set(excluded);
  const memberFolders = new Set(members);
  const cache = new Map<string, FolderRole>([
    ["", { vendored: false, sample: false, tests: undefined, hidden: false }],
  ]);
  return roleOf;

  function roleOf(folder: string): FolderRole {
    const cached = cache.get(folder);
    if (cached) return cached;
    const slash = folder.lastIndexOf("/");
    const parent = roleOf(folder.slice(0, Math.max(slash, 0)));
    const name = folder.slice(slash + 1);
    const role = {
      vendored: parent.vendored || vendoredName.test(name),
      sample: parent.sample || sampleName.test(name) || excludedFolders.has(folder),
      tests:
        parent.tests ?? (isTestFolderName(name) && !memberFolders.has(folder) ? folder : undefined),
      hidden: parent.hidden || name.startsWith("."),
    };
    cache.set(folder, role);
    return role;
  }
}

/** Whether a folder contains the documentation site of a project, by its name. */
export const isDocsSiteFolder = (folder: string): boolean =>
  /^(docs?|documentation|website|site|www|docs-site)$/i.test(baseNameOf(folder));
