import { screen } from "../address.ts";
import { Link } from "../link.tsx";
import { documentOf } from "./documents.ts";
import { path } from "./place.ts";

/** `docs/lamp.md:17`, which leads to the line where a collection holds the file. */
export function FileLine({ file, line }: { file: string; line?: number }) {
  const words = line === undefined ? file : `${file}:${line}`;
  const document = documentOf(path.value, file);
  return document === undefined ? (
    <span class="file">{words}</span>
  ) : (
    <Link class="file" to={{ ...screen(""), file: document, line: line ?? 1 }}>
      {words}
    </Link>
  );
}
