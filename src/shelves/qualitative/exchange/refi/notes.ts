import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import { groupBy } from "../../../../text/arrays/group-by.ts";
import type { RefiArchiveFiles } from "./archive-files.ts";
import {
  childElement,
  childElements,
  elementAttribute,
  elementKey,
  elementText,
  targetKeys,
} from "./elements.ts";

/** The notes of a project, some of which refer to other elements. */
export interface RefiNotes {
  /** Returns the texts of the notes about an element and marks them as used. */
  claimTextsAbout(element: XmlElement): string[];
  /** The notes that no element has claimed. */
  unclaimed(): XmlElement[];
  textOf(note: XmlElement): string | undefined;
  /** Links other than between a note and an element. */
  readonly otherLinks: readonly XmlElement[];
}

/** A note about many elements is copied into each; above this total it remains a note. */
const maxNoteChars = 64_000_000;

/** Elements refer to their notes; some programs use a link element instead. */
export function readRefiNotes(project: XmlElement, parts: RefiArchiveFiles): RefiNotes {
  const notes = new Map(
    childElements(childElement(project, "Notes"), "Note").map((note) => [elementKey(note), note]),
  );
  const links = childElements(childElement(project, "Links"), "Link").map((link) => {
    const ends = [elementKey(link, "originGUID"), elementKey(link, "targetGUID")];
    const note = ends.find((end) => notes.has(end));
    return { link, note, target: note && ends.find((end) => !notes.has(end)) };
  });
  const linked = groupBy(links, ({ target }) => target);
  const claimed = new Set<string>();
  let remainingChars = maxNoteChars;
  const textOf = (note: XmlElement): string | undefined => {
    const path = elementAttribute(note, "plainTextPath");
    return path === undefined
      ? elementText(childElement(note, "PlainTextContent"))
      : parts.text(path);
  };
  return {
    otherLinks: links.filter(({ target }) => target === undefined).map(({ link }) => link),
    textOf,
    claimTextsAbout(element) {
      const keys = new Set([
        ...targetKeys(element, "NoteRef"),
        ...(linked.get(elementKey(element)) ?? []).map(({ note = "" }) => note),
      ]);
      return [...keys].flatMap((key) => {
        const note = notes.get(key);
        if (!note) return [];
        const texts = [elementText(childElement(note, "Description")), textOf(note)].filter(
          (text): text is string => !!text,
        );
        remainingChars -= texts.join("").length;
        if (remainingChars < 0) return [];
        claimed.add(key);
        return texts;
      });
    },
    unclaimed: () => [...notes].filter(([key]) => !claimed.has(key)).map(([, note]) => note),
  };
}
