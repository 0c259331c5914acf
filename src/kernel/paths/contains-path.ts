import { resolve, sep } from "node:path";

/** Whether `inner` is `outer` or below it. The comparison is case-sensitive. */
export function containsPath(outer: string, inner: string): boolean {
  const [base, path] = [resolve(outer), resolve(inner)];
  return path === base || path.startsWith(base.endsWith(sep) ? base : base + sep);
}
