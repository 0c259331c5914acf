import { expect, test } from "vitest";
import * as z from "zod";
import { Failure } from "../failure.ts";
import { type Effect, type Exposure, operationsFor } from "../operation.ts";
import { type AnyShelf, defineShelf } from "../shelf.ts";
import { noTables } from "../storage/migrations.ts";
import { commandName, createCatalogue } from "./catalogue.ts";

const operation = operationsFor<unknown>();

const named = (name: string, expose: Exposure = {}, effect: Effect = "reads") =>
  operation({
    name,
    title: name,
    summary: name,
    input: z.object({}),
    output: z.object({}),
    effect,
    expose,
    example: {},
    run: () => ({}),
  });

const shelf = (name: string, operations: AnyShelf["operations"], more: Partial<AnyShelf> = {}) =>
  defineShelf<unknown>({
    name,
    dialect: "qmd",
    guide: name,
    tables: noTables,
    operations,
    open() {
      throw new Error("A catalogue opens nothing.");
    },
    ...more,
  });

const names = (shelves: AnyShelf[], narrowing?: Parameters<typeof createCatalogue>[1]) =>
  createCatalogue(shelves, narrowing).entries.map(({ operation: { name } }) => name);

const two = [
  shelf("search", [named("search"), named("add", {}, "writes"), named("drop", {}, "deletes")]),
  shelf("review", [named("proposals"), named("decide", {}, "decides")], { formerName: "desk" }),
];

test("all operations of all shelves are one list, in order", () => {
  expect(names(two)).toEqual(["search", "add", "drop", "proposals", "decide"]);
  const catalogue = createCatalogue(two);
  expect(catalogue.find("add")?.shelf.name).toBe("search");
  expect(catalogue.find("constructor")).toBeUndefined();
});

test("[core.catalogue.shelves] --shelves leaves only the shelves it names", () => {
  expect(names(two, { only: ["review"] })).toEqual(["proposals", "decide"]);
  expect(names(two, { only: ["desk"] })).toEqual(["proposals", "decide"]);
  expect(names(two, { only: ["review", "search"] })).toEqual(names(two));
});

test("[core.catalogue.unknown-shelf] an unknown shelf is refused, and the closest name is suggested", () => {
  for (const [given, hint] of [
    ["serach", "Did you mean 'search'?"],
    ["", "Shelves: search, review."],
    ["zzzzzzzzzz", "Shelves: search, review."],
  ] as const) {
    try {
      createCatalogue(two, { only: ["review", given] });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect(error).toMatchObject({
        kind: "invalid",
        message: expect.stringContaining(`'${given}'`),
      });
      expect((error as Failure).hints).toContain(hint);
    }
  }
});

test("[core.catalogue.read-only] --read-only leaves only operations that read", () => {
  expect(names(two, { readOnly: true })).toEqual(["search", "proposals"]);
});

test.each<[string, Exposure, Exposure]>([
  ["route", { http: "GET /a" }, { http: "GET /a" }],
  ["route", { http: "GET /a/{id}" }, { http: "GET /a/{name}" }],
  ["route", { http: "GET /a/{path+}" }, { http: "GET /a/{rest+}" }],
  ["command", { cli: "note add <text>" }, { cli: "note add [path]" }],
])("[core.catalogue.duplicates] two operations of one %s are refused", (what, first, second) => {
  const shelves = [shelf("one", [named("a", first)]), shelf("two", [named("b", second)])];
  expect(() => createCatalogue(shelves)).toThrow(`Two operations with the same ${what}: a and b`);
});

test("two operations with one name are refused, except on an excluded shelf", () => {
  const shelves = [shelf("one", [named("a")]), shelf("two", [named("a")])];
  expect(() => createCatalogue(shelves)).toThrow("Two operations with the same name: a and a");
  expect(names(shelves, { only: ["two"] })).toEqual(["a"]);
});

test("routes and commands with a common prefix are distinct", () => {
  const exposures: Exposure[] = [
    { http: "GET /a", cli: "note" },
    { http: "POST /a", cli: "note add <text>" },
    { http: "GET /a/{id}", cli: "note add-all" },
    { http: "GET /a/{path+}" },
    { http: "GET /a/{id}/b" },
    {},
    {},
  ];
  const operations = exposures.map((expose, index) => named(`n${index}`, expose));
  expect(names([shelf("one", operations)])).toHaveLength(exposures.length);
});

test("resources and prompts are listed with their shelf", () => {
  const family = {
    name: "notes",
    title: "Notes",
    description: "Notes",
    mimeType: "text/plain",
    uri: "note://{+path}",
    read: () => [],
  };
  const prompts = { list: () => [], render: () => ({ description: "", messages: [] }) };
  const catalogue = createCatalogue([
    shelf("plain", []),
    shelf("rich", [], { resources: [family], prompts }),
  ]);
  expect(catalogue.resources).toMatchObject([{ family, shelf: { name: "rich" } }]);
  expect(catalogue.prompts).toMatchObject([{ source: prompts, shelf: { name: "rich" } }]);
});

test("a command's name is the words before its arguments", () => {
  expect(commandName("collection add <path> [name]")).toBe("collection add");
  expect(commandName("search <query...>")).toBe("search");
  expect(commandName(undefined)).toBeUndefined();
});
