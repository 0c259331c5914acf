import { computed } from "@preact/signals";
import { storedValue } from "./stored-value.ts";

interface RecentItem {
  /** The `collection/path` of a document, or the folder of a project. */
  name: string;
  title: string;
}

const maxRecent = 12;

/** The items opened last in this browser, newest first. */
function createRecentList(kind: string) {
  const list = storedValue(`recent-${kind}`, "[]");
  const all = computed(() => parseRecentItems(list.value));
  return {
    all,
    remember(name: string, title: string): void {
      const others = parseRecentItems(list.peek()).filter((item) => item.name !== name);
      list.value = JSON.stringify([{ name, title }, ...others].slice(0, maxRecent));
    },
  };
}

/** The stored value is untrusted: another program of this origin may have written it. */
function parseRecentItems(text: string): RecentItem[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRecent) : [];
  } catch {
    return [];
  }
}

const isRecent = (value: unknown): value is RecentItem =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "title" in value &&
  typeof value.name === "string" &&
  typeof value.title === "string";

export const recentDocuments = createRecentList("documents");
export const recentProjects = createRecentList("projects");
