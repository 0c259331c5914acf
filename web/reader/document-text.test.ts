import { expect, test } from "vitest";
import { parseOpenDocument } from "./document-text.ts";

const open = (text: string) => parseOpenDocument("a.md", { name: "notes/a.md", title: "A", text });

test("line numbers are removed once, even if a line itself looks numbered", () => {
  const lines = Array.from({ length: 11 }, (_, at) => `${at + 1}: 7: is a number`);

  expect(open(lines.join("\n")).lines).toEqual(lines.map(() => "7: is a number"));
  expect(open("1: ").lines).toEqual([""]);
});

test("a title omits its object definition, unless it has no other text", () => {
  const titled = (title: string) =>
    parseOpenDocument("a", { name: "a", title, text: "1: x" }).title;

  expect(titled("People [[people: __Namespace]]")).toBe("People");
  expect(titled("Lamps [[lamps: [Lamp]]]")).toBe("Lamps");
  expect(titled("[[lamp: Lamp]]")).toBe("[[lamp: Lamp]]");
  expect(titled("Talk with [[Ada]], [[people/B|Ben]]")).toBe("Talk with Ada, Ben");
});

test("the context is not part of the text, even if it looks like a numbered line", () => {
  const { context, lines } = open("<!-- Context: Rules:\n1: be kind -->\n\n1: # A\n2: ");

  expect(context).toBe("Rules:\n1: be kind");
  expect(lines).toEqual(["# A", ""]);
});
