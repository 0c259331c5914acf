import { screenAddress } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { indexedDocumentOf } from "./indexed-files.ts";
import { repositoryPath } from "./repository-address.ts";

/** `docs/lamp.md:17`, a link to the line if the file is in a collection. */
export function RepositoryFileLink({ file, line }: { file: string; line?: number }) {
  const label = line === undefined ? file : `${file}:${line}`;
  const document = indexedDocumentOf(repositoryPath.value, file);
  return document === undefined ? (
    <span class="file">{label}</span>
  ) : (
    <Link class="file" to={{ ...screenAddress(""), file: document, line: line ?? 1 }}>
      {label}
    </Link>
  );
}
