import { computed } from "@preact/signals";
import { kept } from "./kept.ts";

interface Recent {
  /** What it is asked for by: a document's `collection/path`, a project's folder. */
  name: string;
  title: string;
}

const mostKept = 12;

/** What was opened last in this browser, the newest first. */
function recent(kind: string) {
  const list = kept(`recent-${kind}`, "[]");
  const all = computed(() => read(list.value));
  return {
    all,
    remember(name: string, title: string): void {
      const others = read(list.peek()).filter((one) => one.name !== name);
      list.value = JSON.stringify([{ name, title }, ...others].slice(0, mostKept));
    },
  };
}

/** Another program of this address may have written there. */
function read(text: string): Recent[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRecent) : [];
  } catch {
    return [];
  }
}

const isRecent = (value: unknown): value is Recent =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "title" in value &&
  typeof value.name === "string" &&
  typeof value.title === "string";

export const recentDocuments = recent("documents");
export const recentProjects = recent("projects");
