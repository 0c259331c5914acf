import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

const pages = {
  "notes/en.md":
    "---\nstatus: draft\ntitle: One\n---\nThe lamp is lit at dusk, and it is of brass.",
  "notes/de.md": "---\nstatus: draft\ntitle: Zwei\n---\nDie lamp wird in der Dämmerung entzündet.",
  "notes/said.txt": "---\nlang: pt-BR\nstatus: done\ntitle: Drei\n---\nlamp",
  "work/short.md": "---\ntitle: Vier\ndate: 2020-02-29\n---\nlamp",
};

test("[search.find.language] a language is detected from the text, or declared by the document", async () => {
  const { call } = await searchLibrary(pages);
  const found = async (input: object) => {
    const answer = await call("find", { query: "lamp", ...input });
    return (
      JSON.stringify(answer)
        .match(/(?<="file":")[^"]+/g)
        ?.toSorted() ?? []
    );
  };

  expect(await found({ language: "de" })).toEqual(["notes/de.md"]);
  expect(await found({ language: "PT" })).toEqual(["notes/said.txt"]);
  expect(await found({ language: "fi" })).toEqual([]);
  expect(await found({ type: "txt" })).toEqual(["notes/said.txt"]);
  expect(await found({ type: ".MD", filter: ["status=draft"] })).toEqual([
    "notes/de.md",
    "notes/en.md",
  ]);
});

test("[search.find.modes] each mode returns the same format, and reports what it cannot do", async () => {
  const { call } = await searchLibrary(pages);

  expect(await call("find", { query: "lamp", type: "txt", explain: true })).toMatchObject({
    results: [{ file: "notes/said.txt", explain: [{ word: "lamp" }] }],
  });
  expect(await call("find", { query: "lamp", type: "txt", by: "both" })).toMatchObject({
    results: [{ file: "notes/said.txt" }],
    notes: [{ kind: "model", message: expect.stringContaining("only keywords") }],
  });
  expect(await call("find", { query: "lamp", by: "meaning" })).toMatchObject({
    kind: "unavailable",
  });
});

test("[search.facets.listed] values unique to each document are not facets", async () => {
  const { call } = await searchLibrary(pages);

  expect(await call("facets", {})).toEqual({
    types: [
      { value: "md", documents: 3 },
      { value: "txt", documents: 1 },
    ],
    languages: [
      { value: "de", documents: 1 },
      { value: "en", documents: 1 },
      { value: "pt", documents: 1 },
    ],
    dates: { first: "2020-02-29", last: new Date().toISOString().slice(0, 10) },
    fields: [
      {
        key: "status",
        documents: 3,
        values: [
          { value: "draft", documents: 2 },
          { value: "done", documents: 1 },
        ],
      },
    ],
  });
  expect(await call("facets", { collection: "nowhere" })).toMatchObject({ kind: "not-found" });
});
