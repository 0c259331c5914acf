/** `files_changed` becomes `Files Changed`: the default title of a field heading. */
export const titleFromKey = (key: string): string =>
  key
    .split("_")
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
