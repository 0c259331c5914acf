import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

const page = read("../index.html");
const sheets = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".css"));
const withScreens = sheets.filter((name) => !page.includes(`look/${name}`));

/** The selectors of a sheet, each by itself. */
const selectorsIn = (css: string): string[] =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .split(/[{}]/)
    .flatMap((piece) => piece.slice(piece.lastIndexOf(";") + 1).split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
    .filter((selector) => selector !== "" && !selector.startsWith("@"));

test("what comes with a screen stays loaded, so its look names the screen and reaches no other", () => {
  expect(withScreens).toContain("coding.css");
  const astray = withScreens.flatMap((name) => {
    const own = name.replace(/[-.].*$/, "");
    const isOwn = (selector: string) => new RegExp(`^(?:main)?\\.${own}(?![\\w-])`).test(selector);
    return selectorsIn(read(name)).flatMap((one) => (isOwn(one) ? [] : `${name}: ${one}`));
  });
  expect(astray).toEqual([]);
});

test("a sheet that the page itself loads is not loaded again by a screen, behind the others", () => {
  const sources = readdirSync(new URL("..", import.meta.url), {
    recursive: true,
    encoding: "utf8",
  });
  const imported = sources
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => [...read(`../${name}`).matchAll(/^import "(?:\.\.?\/)+look\/(.+)";$/gm)])
    .map(([, sheet]) => sheet);
  expect(imported).toContain("coding.css");
  expect(imported.filter((sheet) => page.includes(`look/${sheet}`))).toEqual([]);
});
