import { expect, test } from "vitest";
import { parseVariants } from "./query-expansion.ts";

const lex = (query: string) => ({ type: "lex", query });
const list = (...items: unknown[]): string => JSON.stringify(items);

test("[search.expansion.lenient] a list is extracted from any surrounding model output", () => {
  const wanted = [lex("oil lantern"), { type: "hyde", query: "Pour the oil first." }];
  const written = list(...wanted);
  for (const text of [
    written,
    `\`\`\`json\n${written}\n\`\`\``,
    `Sure! [Note: these may help]\n${written}\nAnything else?`,
    `<think>Perhaps [{"type": "lex", "query": "no"}]?</think>\n${written}`,
    `{"searches": ${written}}`,
    `${written}\nI took these from [1] and [2].`,
  ]) {
    expect(parseVariants(text, "lamp"), text).toEqual(wanted);
  }
});

test("[search.expansion.lenient] output without a list gives nothing", () => {
  for (const text of ["", "I cannot help with that.", "[", "[1, 2", "<think>still thinking [1]"]) {
    expect(parseVariants(text, "lamp"), text).toBeUndefined();
  }
  expect(parseVariants("[]", "lamp")).toEqual([]);
});

test("[search.expansion.bounds] at most three are used, without duplicates or empty ones", () => {
  const given = list(
    lex(" LAMP "),
    "lantern",
    { type: "sql", query: "DROP TABLE" },
    { type: "vec" },
    lex(""),
    lex("!!! ???"),
    lex("oil lantern"),
    { type: "vec", query: "Oil Lantern" },
    { type: "vec", query: "how to\nlight\u202e it" },
    lex("wick"),
    lex("flame"),
  );

  expect(parseVariants(given, "lamp")).toEqual([
    lex("oil lantern"),
    { type: "vec", query: "how to light it" },
    lex("wick"),
  ]);
});

test("[search.expansion.bounds] long queries are truncated", () => {
  const long = "word ".repeat(1_000);
  const [keywords, answer] =
    parseVariants(list(lex(long), { type: "hyde", query: `x ${long}` }), "") ?? [];

  expect(keywords?.query.length).toBeLessThanOrEqual(200);
  expect(answer?.query.length).toBeLessThanOrEqual(1_000);
  expect(parseVariants(`${"x".repeat(100_000)}${list(lex("late"))}`, "")).toBeUndefined();
});
