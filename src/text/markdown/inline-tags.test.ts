import { expect, test } from "vitest";
import { growth } from "../../../tests/fixtures/growth.ts";
import { findInlineTags, normalizeTag } from "./inline-tags.ts";

const tagsOf = (text: string) => findInlineTags(text.split("\n"));

test("[search.tags.inline] tags follow white space, and may be nested and in any script", () => {
  expect(tagsOf("#idea, some #area/topic and\n- #to-do #snake_case #日本語 #año2024.")).toEqual([
    "idea",
    "area/topic",
    "to-do",
    "snake_case",
    "日本語",
    "año2024",
  ]);
  expect(tagsOf("## A heading with a #tag\n\n| a | #cell |\n> #quoted #🚀 #twice #twice")).toEqual([
    "tag",
    "cell",
    "quoted",
    "🚀",
    "twice",
  ]);
  expect(tagsOf("#area//topic/ and #/rooted")).toEqual(["area/topic", "rooted"]);
});

test("[search.tags.not] headings, numbers, URLs, links, code and front matter hold no tags", () => {
  const text = `---
color: #fff
---
# Heading
## Another ##
See #12, #2024/05, #, ## and #_.
https://example.org/#part page#part [text](#part) ![x](a.png#part) <a href="#part">
\`#code\` \`\` a \`#b \`\` C#sharp &#35; \\#escaped

\`\`\`sh
#comment
\`\`\`

    #indented

~~~
#tilde
~~~`;
  expect(tagsOf(text)).toEqual([]);
});

test("[search.tags.not] code in a quote, a callout or a list holds no tags", () => {
  const callout = "> [!tip]\n> ```css\n> color: #ff0000;\n> ```\n> #quoted";
  expect(tagsOf(callout)).toEqual(["quoted"]);
  expect(tagsOf("```md\n> ```\n#code\n```\n#after")).toEqual(["after"]);
  expect(tagsOf("> > ~~~\n> > #code\n\n#after")).toEqual(["after"]);
  expect(tagsOf("1. Step\n\n    ```sh\n    #comment\n    ```\n\n    #below")).toEqual(["below"]);
});

test("[search.tags.not] a line indented below a list item or after text is no code", () => {
  expect(tagsOf("- item\n\n    #below\n\nText\n    #after")).toEqual(["below", "after"]);
});

test("a tag is the same with and without its sign", () => {
  expect(["#a", " a/ ", "a//b"].map(normalizeTag)).toEqual(["a", "a", "a/b"]);
});

test("a document full of tags is cut, and a hostile line takes linear time", () => {
  expect(tagsOf(Array.from({ length: 500 }, (_, at) => `#t${at}`).join("\n"))).toHaveLength(200);
  const runs = (n: number) => Array.from({ length: n }, (_, at) => "`".repeat(at + 1)).join(" ");
  const read = (size: number) => tagsOf(`${runs(Math.round(Math.sqrt(2 * size)))} #`);
  expect(growth(1_000_000, read)).toBeLessThan(10);
});
