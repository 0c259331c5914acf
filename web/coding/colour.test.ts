import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { adaptedThemes, colourOf, contrast, legibleOn, palette } from "./colour.ts";

const papers = { light: "#fbf9f5", dark: "#171613" } as const;

test("every colour has enough contrast in both themes", () => {
  for (const color of [...palette, "#ffff00", "#000000", "#ffffff", "#888888", "#00AA00"]) {
    for (const theme of ["light", "dark"] as const) {
      const shown = contrast(legibleOn(theme, color), papers[theme]);
      expect(shown, `${color} on ${theme}`).toBeGreaterThanOrEqual(3);
    }
  }
});

test("the colours of the palette need no adaptation", () => {
  for (const color of palette) expect([color, adaptedThemes(color)]).toEqual([color, []]);
  expect(adaptedThemes("#ffff00")).toEqual(["light"]);
  expect(adaptedThemes("#101010")).toEqual(["dark"]);
});

test("the backgrounds equal those of page.css", () => {
  const page = readFileSync(new URL("../styles/page.css", import.meta.url), "utf8");
  expect(page).toContain(`--paper: light-dark(${papers.light}, ${papers.dark})`);
});

test("an invalid colour falls back to the colour of lines", () => {
  for (const color of [null, undefined, "", "red", "#12345"]) {
    expect(colourOf(color)).toBe("var(--field)");
  }
});
