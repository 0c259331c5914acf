import type { XmlElement } from "../../../kernel/formats/xml.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { attributeOf, childOf, childrenOf, keyIn, targetsOf, wordsIn } from "./refi-elements.ts";
import type { RefiParts } from "./refi-parts.ts";

/** The notes of a project, some of which are about something in it. */
export interface NoteShelf {
  /** The texts of the notes about an element, which then have their place. */
  about(element: XmlElement): string[];
  /** The notes that are about nothing that we have. */
  rest(): XmlElement[];
  textOf(note: XmlElement): string | undefined;
  /** Links that join other things than a note and what it is about. */
  readonly otherLinks: readonly XmlElement[];
}

/** A note of many things is written into each; one that would fill the disk stays a note. */
const mostLetters = 64_000_000;

/** A thing tells its notes by references; some programs join both by a link instead. */
export function readNotes(project: XmlElement, parts: RefiParts): NoteShelf {
  const notes = new Map(
    childrenOf(childOf(project, "Notes"), "Note").map((note) => [keyIn(note), note]),
  );
  const links = childrenOf(childOf(project, "Links"), "Link").map((link) => {
    const ends = [keyIn(link, "originGUID"), keyIn(link, "targetGUID")];
    const note = ends.find((end) => notes.has(end));
    return { link, note, thing: note && ends.find((end) => !notes.has(end)) };
  });
  const linked = groupedBy(links, ({ thing }) => thing);
  const placed = new Set<string>();
  let left = mostLetters;
  const textOf = (note: XmlElement): string | undefined => {
    const path = attributeOf(note, "plainTextPath");
    return path === undefined ? wordsIn(childOf(note, "PlainTextContent")) : parts.text(path);
  };
  return {
    otherLinks: links.filter(({ thing }) => thing === undefined).map(({ link }) => link),
    textOf,
    about(element) {
      const keys = new Set([
        ...targetsOf(element, "NoteRef"),
        ...(linked.get(keyIn(element)) ?? []).map(({ note = "" }) => note),
      ]);
      return [...keys].flatMap((key) => {
        const note = notes.get(key);
        if (!note) return [];
        const texts = [wordsIn(childOf(note, "Description")), textOf(note)].filter(
          (words): words is string => !!words,
        );
        left -= texts.join("").length;
        if (left < 0) return [];
        placed.add(key);
        return texts;
      });
    },
    rest: () => [...notes].filter(([key]) => !placed.has(key)).map(([, note]) => note),
  };
}
