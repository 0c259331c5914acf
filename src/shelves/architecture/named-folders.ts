import { posix } from "node:path";

/** What a file at the root says; undefined for one that is not there or cannot be read. */
export type SettingIn = (file: string) => string | undefined;

/**
 * The folders that a project itself names for its records, relative to its root: `.adr-dir` holds
 * one path, and log4brains' settings name a folder for the project and for each package.
 */
export function namedFolders(settingIn: SettingIn): string[] {
  const own = settingIn(".adr-dir")?.split(/\r?\n/, 1)[0]?.trim();
  const settings = settingIn(".log4brains.yml") ?? settingIn("log4brains.yml");
  const folders = [...(settings ?? "").matchAll(/^[ \t-]*adrFolder:[ \t]*["']?([^"'#\r\n]+)/gm)];
  return [own ?? "", ...folders.map(([, folder = ""]) => folder.trim())]
    .filter((folder) => folder !== "" && !folder.includes("\0"))
    .map((folder) => posix.normalize(folder.replaceAll("\\", "/")).replace(/\/$/, ""))
    .filter((folder) => !folder.startsWith("..") && !posix.isAbsolute(folder))
    .map((folder) => (folder === "." ? "" : folder));
}
