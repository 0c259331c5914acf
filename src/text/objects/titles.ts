/** `files_changed` becomes `Files Changed`: the title of a list whose heading told nothing else. */
export const titleOf = (key: string): string =>
  key
    .split("_")
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
