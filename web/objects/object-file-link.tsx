import { Link } from "../components/link.tsx";
import { fileLineAddress } from "./objects-address.ts";

/** `holdings.qmd.md:17`, a link to the line if the file is in a collection. */
export function ObjectFileLink({ file, line }: { file: string; line: number }) {
  const label = `${file}:${line}`;
  const target = fileLineAddress(file, line);
  return target ? (
    <Link class="file" to={target}>
      {label}
    </Link>
  ) : (
    <span class="file">{label}</span>
  );
}
