import { expect, test } from "vitest";
import { clausesOf } from "./stance.ts";

/** `+` for, `-` against, and what about. */
const read = (text: string): string[] =>
  clausesOf(text.split("\n")).map(
    ({ isAgainst, about }) => `${isAgainst ? "-" : "+"} ${[...about].join(" ")}`,
  );

test("a clause says for or against what it is about", () => {
  expect(read("We will use Postgres.")).toEqual(["+ postgr"]);
  expect(read("Do not use Mongo.")).toEqual(["- mongo"]);
  expect(read("We never share tables.")).toEqual(["- share tabl"]);
  expect(read("We use Postgres instead of Mongo.")).toEqual(["+ postgr", "- mongo"]);
  expect(read("We migrate from Mongo to Postgres.")).toEqual(["- mongo", "+ postgr"]);
});

test("what is replaced is left, and what replaces it is wanted", () => {
  expect(read("Replace Postgres with Mongo.")).toEqual(["- postgr", "+ mongo"]);
  expect(read("We are replacing the old queue by topics.")).toEqual(["- old queue", "+ topic"]);
  expect(read("Replace Mongo.")).toEqual(["- mongo"]);
});

test("what stands before a passive refusal is what is refused", () => {
  expect(read("Mongo must not be used.")).toEqual(["- mongo"]);
  expect(read("Mongo is not allowed, Postgres is.")).toEqual(["- mongo", "+ postgr"]);
});

test("sentences go on over line ends, and items of a list are their own", () => {
  const clauses = clausesOf(["We avoid", "global state.", "", "- Use queues", "- Use topics"]);
  expect(clauses.map(({ sentence, line }) => `${line} ${sentence}`)).toEqual([
    "1 We avoid global state.",
    "4 Use queues",
    "5 Use topics",
  ]);
});

test("a text of one endless line takes no longer than its length", () => {
  expect(clausesOf(["not ".repeat(50_000)]).length).toBeLessThan(200);
});
