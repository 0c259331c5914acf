import { expect, test } from "vitest";
import { loadShelvesFor } from "./shelf-choice.ts";
import { shelves } from "./shelves.ts";

const distinctiveWords = (shelf: string): string[] =>
  shelves
    .filter(({ name }) => name === shelf)
    .flatMap(({ operations }) => operations)
    .flatMap(({ expose }) => expose.cli?.split(" ")[0]?.split("|") ?? []);

test("[core.commands.few-shelves] a command about documents knows every name and table, and only its own operations", async () => {
  const few = await loadShelvesFor(["search"]);
  const kept = (list: typeof few) => list.map(({ name, tables }) => ({ name, tables }));

  expect(kept(few)).toEqual(kept(shelves));
  expect(few.filter(({ operations }) => operations.length > 0).map(({ name }) => name)).toEqual([
    "search",
  ]);
});

test("[core.commands.few-shelves] exactly the commands of the search shelf need no other shelf", async () => {
  const others = shelves.flatMap(({ name }) => (name === "search" ? [] : distinctiveWords(name)));

  for (const word of distinctiveWords("search")) {
    expect([word, (await loadShelvesFor([word])) === shelves]).toEqual([
      word,
      others.includes(word),
    ]);
  }
  for (const word of ["", "help", "mcp", "serve", "search-nothing", ...others]) {
    expect([word, (await loadShelvesFor([word])) === shelves]).toEqual([word, true]);
  }
});

test("[core.commands.few-shelves] no other shelf indexes documents, has background work or would miss a change", () => {
  const taking = shelves.filter(
    ({ onDocumentChanges, onDocumentsMoved, reconcile }) =>
      onDocumentChanges ?? onDocumentsMoved ?? reconcile,
  );

  expect(taking.map(({ name }) => name)).toEqual(["search"]);
});
