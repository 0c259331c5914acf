import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import type { FolderContent } from "../content.ts";
import { derivedGuid } from "../guid.ts";
import { childElements, elementAttribute, targetKeys } from "./elements.ts";
import type { RefiReadContext } from "./read-context.ts";
import type { RefiSources } from "./source-reader.ts";

/** Sets of sources become folders if no source is in two of them: a source has one folder. */
export function readFolderSets(
  sets: readonly XmlElement[],
  sources: RefiSources,
  context: RefiReadContext,
): FolderContent[] {
  const { losses } = context;
  const isOfSources = (set: XmlElement): boolean =>
    childElements(set, "MemberCode", "MemberNote").length === 0;
  for (const set of sets.filter((one) => !isOfSources(one))) {
    losses.add("dropped", "Sets of codes and notes", elementAttribute(set, "name"));
  }
  const members = sets.filter(isOfSources).map((set) => ({
    set,
    steps: folderPathOf(elementAttribute(set, "name")),
    keys: targetKeys(set, "MemberSource"),
  }));
  const all = members.flatMap(({ keys }) => keys);
  if (new Set(all).size < all.length) {
    for (const { set } of members) {
      losses.add("dropped", "Sets of sources that share sources", elementAttribute(set, "name"));
    }
    return [];
  }
  const folders = new Map<string, FolderContent>();
  // Parent folders come first, regardless of the order in the file.
  for (const { set, steps, keys } of members.sort((a, b) => a.steps.length - b.steps.length)) {
    const folder = ensureFolder(steps, context.identify(set), folders);
    for (const key of keys) {
      const source = sources.byKey.get(key);
      if (source) source.folder = folder.guid;
    }
  }
  return [...folders.values()];
}

/** Limit of nesting. */
const maxDepth = 20;

/** The name of a set is a folder path: `Round 1/Women`. */
function folderPathOf(name: string | undefined): string[] {
  const steps = (name ?? "").split("/").filter((step) => step.trim() !== "");
  if (steps.length > maxDepth) return [steps.join(" ")];
  return steps.length > 0 ? steps : ["Untitled"];
}

/** Creates the missing parent folders. */
function ensureFolder(
  steps: readonly string[],
  guid: string,
  folders: Map<string, FolderContent>,
): FolderContent {
  const path = steps.join("/");
  const known = folders.get(path);
  if (known) return known;
  const [name = "", ...above] = steps.toReversed();
  const parent =
    above.length === 0
      ? null
      : ensureFolder(above.toReversed(), derivedGuid("folder above", guid), folders).guid;
  const folder = { guid, name, parent };
  folders.set(path, folder);
  return folder;
}
