import { expect, test } from "vitest";
import { inlineOf } from "./inline.ts";

test("code, emphasis and links are read; what stands in code is left alone", () => {
  expect(inlineOf("Use `a*b*` and **one _big_** [ledger](0002-x.md) \\*here\\*.")).toEqual([
    { kind: "text", text: "Use " },
    { kind: "code", text: "a*b*" },
    { kind: "text", text: " and " },
    {
      kind: "strong",
      inner: [
        { kind: "text", text: "one " },
        { kind: "emphasis", inner: [{ kind: "text", text: "big" }] },
      ],
    },
    { kind: "text", text: " " },
    { kind: "link", destination: "0002-x.md", inner: [{ kind: "text", text: "ledger" }] },
    { kind: "text", text: " " },
    { kind: "text", text: "*" },
    { kind: "text", text: "here" },
    { kind: "text", text: "*" },
    { kind: "text", text: "." },
  ]);
});

test("underscores within words, lone signs and HTML are letters", () => {
  for (const text of ["snake_case_name", "2 * 3 * 4", "<b onclick=x>", "**", "[a](", "`"]) {
    expect(inlineOf(text)).toEqual([{ kind: "text", text }]);
  }
});
