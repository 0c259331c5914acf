import { Link } from "../link.tsx";
import { lineIn } from "./place.ts";

/** `holdings.qmd.md:17`, which leads to the line where the reader has the file. */
export function FileLine({ file, line }: { file: string; line: number }) {
  const words = `${file}:${line}`;
  const there = lineIn(file, line);
  return there ? (
    <Link class="file" to={there}>
      {words}
    </Link>
  ) : (
    <span class="file">{words}</span>
  );
}
