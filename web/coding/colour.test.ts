import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { adaptedOn, colourOf, contrast, legibleOn, palette } from "./colour.ts";

const papers = { light: "#fbf9f5", dark: "#171613" } as const;

test("every colour is seen on the paper of both themes", () => {
  for (const color of [...palette, "#ffff00", "#000000", "#ffffff", "#888888", "#00AA00"]) {
    for (const theme of ["light", "dark"] as const) {
      const shown = contrast(legibleOn(theme, color), papers[theme]);
      expect(shown, `${color} on ${theme}`).toBeGreaterThanOrEqual(3);
    }
  }
});

test("those that are offered are shown as they are", () => {
  for (const color of palette) expect([color, adaptedOn(color)]).toEqual([color, []]);
  expect(adaptedOn("#ffff00")).toEqual(["light"]);
  expect(adaptedOn("#101010")).toEqual(["dark"]);
});

test("the papers are those of the page", () => {
  const page = readFileSync(new URL("../look/page.css", import.meta.url), "utf8");
  expect(page).toContain(`--paper: light-dark(${papers.light}, ${papers.dark})`);
});

test("what is no colour has the colour of lines", () => {
  for (const color of [null, undefined, "", "red", "#12345"]) {
    expect(colourOf(color)).toBe("var(--field)");
  }
});
