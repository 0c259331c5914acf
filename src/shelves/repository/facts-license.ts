import { joinedLicense, licenseNamed, licensesInText } from "../../text/licenses.ts";
import type { Sight } from "./sight.ts";

const licenseFile =
  /^((un)?licen[cs]es?|copying|[\w.+-]+[-_]licen[cs]e|(licen[cs]e|copying)[-_.][\w.+-]+)(\.(txt|md|markdown|rst|adoc|html))?$/i;
/** Never a program that is named after a licence. */
const isCode = /\.(py|js|ts|go|rs|rb|java|cs|php|json|ya?ml|toml|c|h|cpp|sh|tmpl|spdx)$/i;

/** Files beside the first that are a further choice are named after a licence: `LICENSE-MIT`. */
const isChoice =
  /^((un)?licen[cs]es?|copying)(\.(txt|md|markdown|rst|adoc|html))?$|(^|[-_.])(mit|apache|bsd|[al]?gpl|lesser|mpl|isc|cc0|cc-by|zlib|boost)([-_.v\d]|$)/i;

/** What the project carries along has licences of its own. */
const isOfOthers = /third[-_.]?part(y|ies)|3rd[-_.]?party|dependencies/i;

/** At most so many texts of licences; whoever has more has a collection. */
const mostTexts = 8;

export interface LicenseFound {
  /** An SPDX expression. */
  license: string | null;
  hasFile: boolean;
}

export function licenseOf({ near, speaking, manifests, read }: Sight): LicenseFound {
  const named = near.filter(
    (path) => licenseFile.test(path) && !isCode.test(path) && !isOfOthers.test(path),
  );
  const collected = near.filter((path) => /^LICENSES\/[\w.+-]+\.txt$/.test(path));
  const texts = (named.length > 0 ? named.filter((path) => isChoice.test(path)) : collected)
    .slice(0, mostTexts)
    .map((path) => licensesInText(read(path) ?? ""))
    .filter((found) => found.length > 0);
  const roots = manifests.filter(({ place }) => place === "root");
  const declared = [...roots, ...speaking].flatMap(({ said }) =>
    said?.license === undefined ? [] : (licenseNamed(said.license) ?? []),
  );
  return {
    license: joinedLicense(texts, declared),
    hasFile: named.length > 0 || collected.length > 0,
  };
}
