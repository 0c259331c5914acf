import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

const page = (title: string, text: string) => `# ${title}\n\n${text}\n`;

const pages = {
  "docs/a.md": page("Import attributes of modules", "Loads a module."),
  "docs/b.md": page(
    "import",
    "Loads a file once, and binds the names that it exports for use in this one.",
  ),
  "docs/c.md": page(
    "The loops for and while",
    "A loop over values, of which a loop may have none.",
  ),
  "docs/d.md": page(
    "for...of",
    "Runs its body for each value of an iterable, one after the other, in a loop.",
  ),
  "docs/e.md": page("Array.prototype.map()", "Maps the values of an array."),
  "docs/f.md": page("Array", "Has a map of values."),
};

test.each([
  ["import", "docs/b.md"],
  ["for of loop", "docs/d.md"],
  ["array map", "docs/e.md"],
  ["import attributes", "docs/a.md"],
])("[search.titles.whole] %s finds its page", async (query, wanted) => {
  const { files } = await searchLibrary(pages);

  expect((await files(query))[0]).toBe(wanted);
});

test("[search.titles.whole] a title with other words, or of another document, adds nothing", async () => {
  const { hits } = await searchLibrary(pages);
  const [whole, longer] = await hits("import");

  expect([whole?.file, longer?.file]).toEqual(["docs/b.md", "docs/a.md"]);
  expect(whole?.score).toBeGreaterThan(longer?.score ?? 1);
});
