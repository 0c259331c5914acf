import { expect, test } from "vitest";
import { documentFrom, mostLines } from "./document.ts";

const open = (text: string, fromLine = 1) =>
  documentFrom("notes/a.md", fromLine, { title: "A", text });

test("lines keep the numbers of the file", () => {
  expect(open("7: # A\n8: \n9: 7: is a number", 7).lines).toEqual([
    { number: 7, text: "# A" },
    { number: 8, text: "" },
    { number: 9, text: "7: is a number" },
  ]);
});

test("the context before the text is not a part of it, even where it looks like one", () => {
  const { context, lines } = open("<!-- Context: Rules:\n1: be kind -->\n\n1: # A");

  expect(context).toBe("Rules:\n1: be kind");
  expect(lines).toEqual([{ number: 1, text: "# A" }]);
});

test("a document may go on only where as many lines came as were asked for", () => {
  const many = Array.from({ length: mostLines }, (_, index) => `${index + 1}: line`);

  expect(open(many.join("\n")).mayGoOn).toBe(true);
  expect(open(many.slice(1).join("\n"), 2).mayGoOn).toBe(false);
});

test("a place past the end has no lines", () => {
  expect(open("", 900).lines).toEqual([]);
});
