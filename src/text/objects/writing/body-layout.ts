/**
 * The content below the heading of an object to write, in order:
 *
 *     - name: Alice                 bullet
 *     A few words.                  comment
 *     ## Tags [[tags: array]]       heading: a field, a nested object or a comment with a heading
 */
export type BodyItem = { type: "bullet" | "comment"; text: string } | HeadingItem;

export interface HeadingItem {
  type: "heading";
  /** Fixed for objects and comments. For fields, the minimum; `assignLevels` may increase it. */
  level: number;
  /**
   * The following lines that the parser would add to this heading: `all`, the `bullets` before
   * another block, or `none`.
   */
  consumes: "all" | "bullets" | "none";
  /** What headings of a higher level below it become: part of its text, or objects of its array. */
  contains: "text" | "objects" | undefined;
  isComment: boolean;
  /** Whether a comment contains bullets with keys. */
  hasFields?: boolean;
  write(level: number): void;
  /** Writes the objects of an array, after the lines between its heading and the objects. */
  writeBelow?(level: number): void;
}

/**
 * Moves an item before all headings if the parser would add it to the heading above. Parsed objects
 * are not affected, because such lines already belong to that heading.
 */
export function inReadableOrder(items: readonly BodyItem[]): BodyItem[] {
  const beforeHeadings: BodyItem[] = [];
  const rest: BodyItem[] = [];
  let consumes: HeadingItem["consumes"] = "none";
  for (const item of items) {
    if (item.type === "heading") {
      consumes = item.consumes;
      rest.push(item);
    } else if (rest.length === 0) beforeHeadings.push(item);
    else {
      if (
        item.type === "comment" &&
        consumes === "bullets" &&
        !/^ {0,3}[-*+](?:[ \t\n]|$)/.test(item.text)
      ) {
        consumes = "none";
      }
      (consumes === "none" ? rest : beforeHeadings).push(item);
    }
  }
  return [...beforeHeadings, ...rest];
}

/**
 * Sets the level of each heading field: one more than that of the object, or more if the next
 * heading would otherwise become part of the field.
 */
export function assignLevels(items: readonly BodyItem[]): void {
  let following: HeadingItem | undefined;
  let afterFollowing: HeadingItem | undefined;
  for (const item of items.toReversed()) {
    if (item.type !== "heading") continue;
    if (following && item.contains === "text") item.level = Math.max(item.level, following.level);
    if (following && item.contains === "objects") {
      // A comment may come between the objects of an array if it does not look like an object.
      const looksLikeObject = following.hasFields || (afterFollowing?.level ?? 0) > following.level;
      const isPlainText = following.isComment && !looksLikeObject;
      item.level = Math.max(item.level, isPlainText ? following.level - 1 : following.level);
    }
    afterFollowing = following;
    following = item;
  }
}
