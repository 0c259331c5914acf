import {
  combineLicenses,
  detectLicenses,
  toSpdxExpression,
} from "../../../text/software/licenses.ts";
import type { RepoModel } from "../repo/repo-model.ts";

const licenseFile =
  /^((un)?licen[cs]es?|copying|[\w.+-]+[-_]licen[cs]e|(licen[cs]e|copying)[-_.][\w.+-]+)(\.(txt|md|markdown|rst|adoc|html))?$/i;
/** Excludes code files with a licence-like name. */
const codeExtension = /\.(py|js|ts|go|rs|rb|java|cs|php|json|ya?ml|toml|c|h|cpp|sh|tmpl|spdx)$/i;

/** Names of alternative licence files: `LICENSE-MIT`. */
const alternativeLicenseName =
  /^((un)?licen[cs]es?|copying)(\.(txt|md|markdown|rst|adoc|html))?$|(^|[-_.])(mit|apache|bsd|[al]?gpl|lesser|mpl|isc|cc0|cc-by|zlib|boost)([-_.v\d]|$)/i;

/** Licences of bundled third-party code do not count. */
const thirdPartyName = /third[-_.]?part(y|ies)|3rd[-_.]?party|dependencies/i;

/** Maximum number of licence texts read; more are a collection. */
const maxLicenseTexts = 8;

export interface LicenseInfo {
  /** An SPDX expression. */
  license: string | null;
  hasFile: boolean;
}

export function detectLicense({
  shallowPaths,
  projectManifests,
  manifests,
  readText,
}: RepoModel): LicenseInfo {
  const licenseFiles = shallowPaths.filter(
    (path) => licenseFile.test(path) && !codeExtension.test(path) && !thirdPartyName.test(path),
  );
  const collected = shallowPaths.filter((path) => /^LICENSES\/[\w.+-]+\.txt$/.test(path));
  const texts = (
    licenseFiles.length > 0
      ? licenseFiles.filter((path) => alternativeLicenseName.test(path))
      : collected
  )
    .slice(0, maxLicenseTexts)
    .map((path) => detectLicenses(readText(path) ?? ""))
    .filter((found) => found.length > 0);
  const roots = manifests.filter(({ scope }) => scope === "root");
  const declared = [...roots, ...projectManifests].flatMap(({ manifest }) =>
    manifest?.license === undefined ? [] : (toSpdxExpression(manifest.license) ?? []),
  );
  return {
    license: combineLicenses(texts, declared),
    hasFile: licenseFiles.length > 0 || collected.length > 0,
  };
}
