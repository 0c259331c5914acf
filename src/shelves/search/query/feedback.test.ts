import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

const pages = {
  "notes/store.md": "---\nstatus: draft\n---\n# Store\n\nThe volume is persistent and of brass.",
  "notes/lamp.md": "---\nstatus: done\nlang: en\n---\n# Lamp\n\nThe lamp is of brass.",
};

/** The notes of an operation's output. */
async function notesOf() {
  const { call } = await searchLibrary(pages);
  return async (name: string, input: object) => {
    const answer = await call(name, input);
    return answer instanceof Error ? answer.explanation : answer.notes;
  };
}

test("[search.notes.spelling] a search for a misspelled word names the word and its correction", async () => {
  const notes = await notesOf();

  expect(await notes("search", { query: "volmue" })).toEqual([
    {
      kind: "spelling",
      message: 'Showing results for *volume*. Search for exactly "volmue" instead.',
      word: "volmue",
      read: ["volume"],
    },
  ]);
  expect(await notes("query", { query: "volmue" })).toContainEqual(
    expect.objectContaining({ kind: "spelling", word: "volmue" }),
  );
  expect(await notes("search", { query: "brass volmue" })).toMatchObject([
    { message: 'Showing results for *volume*. Search for exactly "volmue" instead.' },
  ]);
  expect(await notes("search", { query: "persistant" })).toMatchObject([
    { message: 'Showing results for *persistent*. Search for exactly "persistant" instead.' },
  ]);
  expect(await notes("search", { query: "volume" })).toBeUndefined();
  expect(await notes("search", { query: "volum*" })).toBeUndefined();
  expect(await notes("search", { query: '"volmue"' })).toBeUndefined();
  expect(await notes("search", { query: "zeppelin" })).toBeUndefined();
});

test("[search.notes.spelling] a note says that a frequent word is searched too", async () => {
  const many = Array.from({ length: 60 }, (_, page) => [`n/${page}.md`, "# Page\n\nA daemonset."]);
  const files = { "n/typo.md": "# Typo\n\nA deamonset.", ...Object.fromEntries(many) };
  const { call } = await searchLibrary(files);

  const found = (await call("search", { query: "deamonset", explain: true })) as {
    results: object[];
  };
  expect(found).toMatchObject({
    notes: [
      {
        kind: "spelling",
        message:
          'Also showing results for *daemonset*. Search for "deamonset" in quotes to leave them out.',
        word: "deamonset",
        read: ["daemonset"],
      },
    ],
  });
  const [exact, similar] = found.results;
  expect(exact).toMatchObject({ file: "n/typo.md" });
  expect(exact).not.toHaveProperty("corrected");
  expect(similar).toMatchObject({ corrected: [{ word: "deamonset", read: ["daemonset"] }] });
  expect(await call("search", { query: '"deamonset"' })).not.toHaveProperty("notes");
});

test("[search.notes.exclusion] a note says that a query that only excludes words finds nothing", async () => {
  const notes = await notesOf();

  expect(await notes("search", { query: "-brass" })).toMatchObject([{ kind: "exclusion" }]);
  expect(await notes("search", { query: "lamp -brass" })).toBeUndefined();
});

test("[search.notes.filter-key] a filter on an unknown key is an error that lists the known keys", async () => {
  const notes = await notesOf();

  const explanation = await notes("search", { query: "lamp", filter: ["statsu=draft"] });
  expect(explanation).toMatch("Unknown filter key 'statsu': no document has it.");
  expect(explanation).toMatch("Did you mean 'status'?");
  expect(explanation).toMatch("Known keys: status, lang.");
});

test("[search.notes.filter-value] a note on a filter that matches no document lists the known values", async () => {
  const notes = await notesOf();
  const filtered = async (name: string, filter: object) =>
    notes(name, { query: "lamp", ...filter });

  expect(await filtered("search", { filter: ["status=drafft"] })).toEqual([
    {
      kind: "filter",
      message: "No document matches the filter 'status = drafft'. Values of 'status': done, draft.",
      key: "status",
      known: ["done", "draft"],
    },
  ]);
  expect(await filtered("search", { filter: ["status=draft"] })).toBeUndefined();
  expect(await filtered("find", { type: "pdf" })).toMatchObject([{ key: "type", known: ["md"] }]);
  expect(await filtered("find", { language: "fi" })).toMatchObject([{ known: ["en"] }]);
});
