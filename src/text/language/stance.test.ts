import { expect, test } from "vitest";
import { parseClauses } from "./stance.ts";

/** `+` for and `-` against, with the subject. */
const read = (text: string): string[] =>
  parseClauses(text.split("\n")).map(
    ({ isAgainst, about }) => `${isAgainst ? "-" : "+"} ${[...about].join(" ")}`,
  );

test("a clause is for or against its subject", () => {
  expect(read("We will use Postgres.")).toEqual(["+ postgr"]);
  expect(read("Do not use Mongo.")).toEqual(["- mongo"]);
  expect(read("We never share tables.")).toEqual(["- share tabl"]);
  expect(read("We use Postgres instead of Mongo.")).toEqual(["+ postgr", "- mongo"]);
  expect(read("We migrate from Mongo to Postgres.")).toEqual(["- mongo", "+ postgr"]);
});

test("a replaced thing is rejected, and its replacement is wanted", () => {
  expect(read("Replace Postgres with Mongo.")).toEqual(["- postgr", "+ mongo"]);
  expect(read("We are replacing the old queue by topics.")).toEqual(["- old queue", "+ topic"]);
  expect(read("Replace Mongo.")).toEqual(["- mongo"]);
});

test("the subject of a passive rejection is rejected", () => {
  expect(read("Mongo must not be used.")).toEqual(["- mongo"]);
  expect(read("Mongo is not allowed, Postgres is.")).toEqual(["- mongo", "+ postgr"]);
});

test("sentences span lines, and list items are separate", () => {
  const clauses = parseClauses(["We avoid", "global state.", "", "- Use queues", "- Use topics"]);
  expect(clauses.map(({ sentence, line }) => `${line} ${sentence}`)).toEqual([
    "1 We avoid global state.",
    "4 Use queues",
    "5 Use topics",
  ]);
});

test("a text of one endless line is parsed in linear time", () => {
  expect(parseClauses(["not ".repeat(50_000)]).length).toBeLessThan(200);
});
