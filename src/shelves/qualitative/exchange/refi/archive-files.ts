/** The files that a project's XML refers to. */
export interface RefiArchiveFiles {
  /** The text of a file with a path such as `internal://a.txt`. */
  text(path: string): string | undefined;
  /** The name of the archive entry for a path. */
  part(path: string): string | undefined;
}
