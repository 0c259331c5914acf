/** What a project's XML speaks of and does not hold. */
export interface RefiParts {
  /** The text of a file that is named by a path such as `internal://a.txt`. */
  text(path: string): string | undefined;
  /** The part of the archive that a path names. */
  part(path: string): string | undefined;
}
