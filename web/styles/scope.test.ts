import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

const page = read("../index.html");
const sheets = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".css"));
const withScreens = sheets.filter((name) => !page.includes(`styles/${name}`));

/** The selectors of a style sheet, one by one. */
const selectorsIn = (css: string): string[] =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .split(/[{}]/)
    .flatMap((piece) => piece.slice(piece.lastIndexOf(";") + 1).split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
    .filter((selector) => selector !== "" && !selector.startsWith("@"));

test("the sheet of a screen stays loaded, so each of its selectors names that screen", () => {
  expect(withScreens).toContain("coding.css");
  const unscoped = withScreens.flatMap((name) => {
    const own = name.replace(/[-.].*$/, "");
    const isOwn = (selector: string) => new RegExp(`^(?:main)?\\.${own}(?![\\w-])`).test(selector);
    return selectorsIn(read(name)).flatMap((selector) =>
      isOwn(selector) ? [] : `${name}: ${selector}`,
    );
  });
  expect(unscoped).toEqual([]);
});

test("a screen does not load a sheet again that index.html loads", () => {
  const sources = readdirSync(new URL("..", import.meta.url), {
    recursive: true,
    encoding: "utf8",
  });
  const imported = sources
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => [...read(`../${name}`).matchAll(/^import "(?:\.\.?\/)+styles\/(.+)";$/gm)])
    .map(([, sheet]) => sheet);
  expect(imported).toContain("coding.css");
  expect(imported.filter((sheet) => page.includes(`styles/${sheet}`))).toEqual([]);
});
