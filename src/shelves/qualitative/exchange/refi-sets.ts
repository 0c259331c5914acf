import type { XmlElement } from "../../../kernel/formats/xml.ts";
import type { FolderContent } from "./content.ts";
import { derivedGuid } from "./guid.ts";
import { attributeOf, childrenOf, targetsOf } from "./refi-elements.ts";
import type { RefiReader } from "./refi-reader.ts";
import type { ReadSources } from "./refi-source-reading.ts";

/** Sets of sources are folders where no source is in two of them; a source lies in one folder. */
export function readSets(
  sets: readonly XmlElement[],
  sources: ReadSources,
  reading: RefiReader,
): FolderContent[] {
  const { losses } = reading;
  const isOfSources = (set: XmlElement): boolean =>
    childrenOf(set, "MemberCode", "MemberNote").length === 0;
  for (const set of sets.filter((one) => !isOfSources(one))) {
    losses.add("dropped", "Sets of codes and notes", attributeOf(set, "name"));
  }
  const members = sets.filter(isOfSources).map((set) => ({
    set,
    steps: stepsOf(attributeOf(set, "name")),
    keys: targetsOf(set, "MemberSource"),
  }));
  const all = members.flatMap(({ keys }) => keys);
  if (new Set(all).size < all.length) {
    for (const { set } of members) {
      losses.add("dropped", "Sets of sources that share sources", attributeOf(set, "name"));
    }
    return [];
  }
  const folders = new Map<string, FolderContent>();
  // A folder comes before those in it, whatever the order of the file.
  for (const { set, steps, keys } of members.sort((a, b) => a.steps.length - b.steps.length)) {
    const folder = folderAt(steps, reading.identify(set), folders);
    for (const key of keys) {
      const source = sources.byKey.get(key);
      if (source) source.folder = folder.guid;
    }
  }
  return [...folders.values()];
}

/** Nobody lays folders deeper into one another. */
const mostSteps = 20;

/** The name of a set is the way to a folder: `Round 1/Women`. */
function stepsOf(name: string | undefined): string[] {
  const steps = (name ?? "").split("/").filter((step) => step.trim() !== "");
  if (steps.length > mostSteps) return [steps.join(" ")];
  return steps.length > 0 ? steps : ["Untitled"];
}

/** Folders on the way are made where the file has not said them. */
function folderAt(
  steps: readonly string[],
  guid: string,
  folders: Map<string, FolderContent>,
): FolderContent {
  const way = steps.join("/");
  const known = folders.get(way);
  if (known) return known;
  const [name = "", ...above] = steps.toReversed();
  const parent =
    above.length === 0
      ? null
      : folderAt(above.toReversed(), derivedGuid("folder above", guid), folders).guid;
  const folder = { guid, name, parent };
  folders.set(way, folder);
  return folder;
}
