import { addressWith } from "../address.ts";
import { Link } from "../link.tsx";
import { openingFailure } from "./open-document.ts";

/** Why a document is not shown; what may have been meant instead is a way there. */
export function NotOpened() {
  const lines = (openingFailure.value ?? "").split("\n");
  const near = lines.flatMap((line) => /^ {2}- (.+)$/.exec(line)?.[1] ?? []);
  const words = lines.filter((line) => !line.startsWith("  - ")).join("\n");
  if (words === "") return null;
  return (
    <div class="notice">
      <p>{words}</p>
      <ul>
        {near.map((file) => (
          <li key={file}>
            <Link to={addressWith({ file, line: 1 })}>{file}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
