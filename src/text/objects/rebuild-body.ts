/**
 * What stands below the heading of an object that is written, in its order:
 *
 *     - name: Alice                 bullet
 *     A few words.                  comment
 *     ## Tags [[tags: array]]       heading: a field, a nested object or a comment with a heading
 */
export type BodyItem = { type: "bullet" | "comment"; text: string } | HeadingItem;

export interface HeadingItem {
  type: "heading";
  /** Fixed for objects and comments; found by `settle` for fields, from the lowest that they may have. */
  level: number;
  /**
   * What a heading takes of the lines behind it: `all` of them, `bullets` up to another block, or
   * `none` but its own.
   */
  takes: "all" | "bullets" | "none";
  /** Whether headings further in belong to it: to its text, or as the objects of its array. */
  holds: "text" | "objects" | undefined;
  isComment: boolean;
  /** Whether a comment holds bullets with keys. */
  hasFields?: boolean;
  write(level: number): void;
  /** Writes the objects of an array, behind the lines that stand between its heading and them. */
  writeBelow?(level: number): void;
}

/**
 * Puts what would be taken for a part of the heading before it in front of all headings. In objects
 * that were parsed nothing moves: there such lines have been taken already.
 */
export function inReadableOrder(items: readonly BodyItem[]): BodyItem[] {
  const early: BodyItem[] = [];
  const late: BodyItem[] = [];
  let takes: HeadingItem["takes"] = "none";
  for (const item of items) {
    if (item.type === "heading") {
      takes = item.takes;
      late.push(item);
    } else if (late.length === 0) early.push(item);
    else {
      if (
        item.type === "comment" &&
        takes === "bullets" &&
        !/^ {0,3}[-*+](?:[ \t\n]|$)/.test(item.text)
      ) {
        takes = "none";
      }
      (takes === "none" ? late : early).push(item);
    }
  }
  return [...early, ...late];
}

/**
 * Gives each field in a heading its level: one below the object, unless what follows it has a level
 * of its own that would then belong to the field.
 */
export function settle(items: readonly BodyItem[]): void {
  let following: HeadingItem | undefined;
  let second: HeadingItem | undefined;
  for (const item of items.toReversed()) {
    if (item.type !== "heading") continue;
    if (following && item.holds === "text") item.level = Math.max(item.level, following.level);
    if (following && item.holds === "objects") {
      // Words may stand among the objects of an array, if they do not look like one of them.
      const looksLikeObject = following.hasFields || (second?.level ?? 0) > following.level;
      const areWords = following.isComment && !looksLikeObject;
      item.level = Math.max(item.level, areWords ? following.level - 1 : following.level);
    }
    second = following;
    following = item;
  }
}
