/** Paths relative to a root, with forward slashes. The root itself is the empty path. */

/** `docs/a` for `docs/a/b.md`; empty for paths in the root. */
export const parentFolder = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf("/"), 0));

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** `docs/a.md` for `docs` and `a.md`; the name alone for the root. */
export const childPath = (folder: string, name: string): string =>
  folder === "" ? name : `${folder}/${name}`;
