import { expect, test } from "vitest";
import { parseTemplate } from "./prompt-template.ts";

const read = (template: string): string[] =>
  parseTemplate(template).map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind !== "resource") return `<${part.kind} ${part.name}>`;
    const address = part.address.map((piece) =>
      piece.kind === "text" ? piece.text : `<${piece.name}>`,
    );
    return `<resource ${address.join("")}>`;
  });

test("arguments, resources and tools are parsed from the text around them", () => {
  expect(read("a {{code}} b")).toEqual(["a ", "<argument code>", " b"]);
  expect(read("{{ code }}")).toEqual(["<argument code>"]);
  expect(read("{{tool:validate-against-pattern}}")).toEqual(["<tool validate-against-pattern>"]);
  expect(read("{{resource:architecture://patterns/*}}")).toEqual([
    "<resource architecture://patterns/*>",
  ]);
});

test("an argument may be part of a URI, also as a choice", () => {
  expect(read("{{resource:architecture://patterns/{{pattern_name}}.md}}")).toEqual([
    "<resource architecture://patterns/<pattern_name>.md>",
  ]);
  expect(read("{{resource:architecture://patterns/{a,b}}}!")).toEqual([
    "<resource architecture://patterns/{a,b}>",
    "!",
  ]);
});

test("unknown braces are kept", () => {
  for (const text of [
    "{{",
    "{{}}",
    "{{a b}}",
    "{ {a} }",
    "{{a",
    "{{a}",
    "${{x",
    "{{a\n}}",
    "{{other:x}}",
  ]) {
    expect(read(text).join("")).toBe(text);
  }
  expect(read("{{{code}}}")).toEqual(["{", "<argument code>", "}"]);
});

test("a template of braces only is parsed in linear time", () => {
  expect(read("{{".repeat(50_000)).join("").length).toBe(100_000);
});
