import { expect, test } from "vitest";
import { shelvesFor } from "./shelf-choice.ts";
import { shelves } from "./shelves.ts";

const wordsOf = (shelf: string): string[] =>
  shelves
    .filter(({ name }) => name === shelf)
    .flatMap(({ operations }) => operations)
    .flatMap(({ expose }) => expose.cli?.split(" ")[0]?.split("|") ?? []);

test("[house.commands.few-shelves] a command about documents knows every name and table, and no other operation", async () => {
  const few = await shelvesFor(["search"]);
  const kept = (list: typeof few) => list.map(({ name, tables }) => ({ name, tables }));

  expect(kept(few)).toEqual(kept(shelves));
  expect(few.filter(({ operations }) => operations.length > 0).map(({ name }) => name)).toEqual([
    "search",
  ]);
});

test("[house.commands.few-shelves] exactly the commands of the search shelf need no other", async () => {
  const others = shelves.flatMap(({ name }) => (name === "search" ? [] : wordsOf(name)));

  for (const word of wordsOf("search")) {
    expect([word, (await shelvesFor([word])) === shelves]).toEqual([word, others.includes(word)]);
  }
  for (const word of ["", "help", "mcp", "serve", "search-nothing", ...others]) {
    expect([word, (await shelvesFor([word])) === shelves]).toEqual([word, true]);
  }
});

test("[house.commands.few-shelves] no other shelf takes in documents, tends them or would miss a change", () => {
  const taking = shelves.filter(({ absorb, relocate, tend }) => absorb ?? relocate ?? tend);

  expect(taking.map(({ name }) => name)).toEqual(["search"]);
});
