import { expect, test } from "vitest";
import { readQuery } from "./query.ts";

const check = (written: string, words: string[], phrases: string[] = [], without: string[] = []) =>
  expect(readQuery(written)).toEqual({ words, phrases, without });

test("words, phrases and exclusions are told apart", () => {
  check('tea "green leaf" -milk -"with sugar"', ["tea"], ["green leaf"], ["milk", "with sugar"]);
});

test("a hyphen inside a word belongs to it", () => check("multi-agent", ["multi-agent"]));

test("a quote that is never closed is an ordinary character", () =>
  check('say "hello', ["say", '"hello']));

test("words of query languages are words", () =>
  check("a OR b NEAR(c) title:x *", ["a", "OR", "b", "NEAR(c)", "title:x", "*"]));
