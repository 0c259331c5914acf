import { expect, test } from "vitest";
import * as z from "zod";
import { commandWords, makeCatalogue } from "./catalogue.ts";
import { Failure } from "./failure.ts";
import { type Effect, type Exposure, operationsOn } from "./operation.ts";
import { type AnyShelf, defineShelf } from "./shelf.ts";
import { noTables } from "./tables.ts";

const operation = operationsOn<unknown>();

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

const names = (shelves: AnyShelf[], narrowing?: Parameters<typeof makeCatalogue>[1]) =>
  makeCatalogue(shelves, narrowing).entries.map(({ operation: { name } }) => name);

const two = [
  shelf("search", [named("search"), named("add", {}, "writes"), named("drop", {}, "deletes")]),
  shelf("desk", [named("proposals"), named("decide", {}, "decides")]),
];

test("all operations of all shelves are one list, in their order", () => {
  expect(names(two)).toEqual(["search", "add", "drop", "proposals", "decide"]);
  const catalogue = makeCatalogue(two);
  expect(catalogue.find("add")?.shelf.name).toBe("search");
  expect(catalogue.find("constructor")).toBeUndefined();
});

test("[house.catalogue.shelves] --shelves leaves only the shelves that it names", () => {
  expect(names(two, { only: ["desk"] })).toEqual(["proposals", "decide"]);
  expect(names(two, { only: ["desk", "search"] })).toEqual(names(two));
});

test("[house.catalogue.unknown-shelf] an unknown shelf is refused with the nearest name", () => {
  for (const [given, hint] of [
    ["serach", "Did you mean 'search'?"],
    ["", "Shelves: search, desk."],
    ["zzzzzzzzzz", "Shelves: search, desk."],
  ] as const) {
    try {
      makeCatalogue(two, { only: ["desk", given] });
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

test("[house.catalogue.read-only] --read-only leaves only what reads", () => {
  expect(names(two, { readOnly: true })).toEqual(["search", "proposals"]);
});

test.each<[string, Exposure, Exposure]>([
  ["route", { http: "GET /a" }, { http: "GET /a" }],
  ["route", { http: "GET /a/{id}" }, { http: "GET /a/{name}" }],
  ["route", { http: "GET /a/{path+}" }, { http: "GET /a/{rest+}" }],
  ["command", { cli: "note add <text>" }, { cli: "note add [path]" }],
])("[house.catalogue.twins] two operations of one %s are refused", (what, first, second) => {
  const shelves = [shelf("one", [named("a", first)]), shelf("two", [named("b", second)])];
  expect(() => makeCatalogue(shelves)).toThrow(`Two operations of one ${what}: a and b`);
});

test("two operations of one name are refused, and twins on a shelf that is left out are not", () => {
  const shelves = [shelf("one", [named("a")]), shelf("two", [named("a")])];
  expect(() => makeCatalogue(shelves)).toThrow("Two operations of one name: a and a");
  expect(names(shelves, { only: ["two"] })).toEqual(["a"]);
});

test("routes and commands that only begin alike are different", () => {
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

test("resources and prompts are joined with the shelf they stand on", () => {
  const family = {
    name: "notes",
    title: "Notes",
    description: "Notes",
    mimeType: "text/plain",
    uri: "note://{+path}",
    read: () => [],
  };
  const prompts = { list: () => [], render: () => ({ description: "", messages: [] }) };
  const catalogue = makeCatalogue([
    shelf("plain", []),
    shelf("rich", [], { resources: [family], prompts }),
  ]);
  expect(catalogue.resources).toMatchObject([{ family, shelf: { name: "rich" } }]);
  expect(catalogue.prompts).toMatchObject([{ source: prompts, shelf: { name: "rich" } }]);
});

test("a command's words are what stands before its arguments", () => {
  expect(commandWords("collection add <path> [name]")).toBe("collection add");
  expect(commandWords("search <query...>")).toBe("search");
  expect(commandWords(undefined)).toBeUndefined();
});
