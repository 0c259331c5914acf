import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, seen, visit } from "../browser.ts";
import { type FullHomePage, openFullHomePage } from "../full-home.ts";

/** A window: where it is opened, from what, its name, and the name of what has the focus first. */
interface Opened {
  address: string;
  words: string;
  opener: (page: Page) => ReturnType<Page["locator"]>;
  name: string;
  first: string;
  /** Whether something can be written in it, which a press beside it must not lose. */
  holdsWords: boolean;
}

const button = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true });
const home = { address: "/", words: "in 4 collections", holdsWords: false };
const coding = { address: "/?view=coding&of=1", words: "I came up the stairs", holdsWords: true };

const windows: readonly Opened[] = [
  { ...home, opener: button("Settings"), name: "Settings", first: "Close" },
  { ...home, opener: button("Shortcuts"), name: "Keyboard shortcuts", first: "Close" },
  {
    ...home,
    opener: button("Go to…"),
    name: "Go to a command, a screen or a document",
    first: "Command, screen or document",
  },
  { ...coding, opener: button("New category"), name: "New category", first: "Name" },
  { ...coding, opener: button("Waiting"), name: "Code Waiting", first: "Name" },
  {
    ...coding,
    opener: (page) => page.locator(".coded").first(),
    name: "Coded here",
    first: "Close",
    holdsWords: false,
  },
];

describe.runIf(chromiumPath)("windows of the page", () => {
  let setup: FullHomePage;

  beforeAll(async () => {
    setup = await openFullHomePage();
  });
  afterAll(() => setup?.close());

  test.each(windows)(
    "[web.windows.focus] $name has a name, traps the focus and restores it",
    async ({ address, words, opener, name, first, holdsWords }) => {
      const { page, complaints } = await visit(setup.browser, setup.url + address);
      await seen(page, words);
      const window = page.getByRole("dialog", { name, exact: true });
      const hasFocus = () => opener(page).evaluate((one) => one.matches(":focus"));

      await opener(page).press("Enter");
      await window.waitFor();
      expect(await window.locator(":focus").count()).toBe(1);
      const begun = window.getByRole("button", { name: first }).or(window.getByLabel(first));
      expect(await begun.first().evaluate((one) => one.matches(":focus"))).toBe(true);
      for (let step = 0; step < 30; step++) {
        await page.keyboard.press("Tab");
        // Behind the last one the browser's own buttons come, and then the first again.
        expect(await page.locator(".page :focus:not(dialog, dialog *)").count()).toBe(0);
      }
      await page.keyboard.press("Escape");
      await window.waitFor({ state: "detached" });
      expect(await hasFocus()).toBe(true);

      await page.keyboard.press("Enter");
      await window.waitFor();
      await page.mouse.click(4, 4);
      expect(await window.isVisible()).toBe(holdsWords);
      if (holdsWords) await window.getByRole("button", { name: "Close" }).press("Enter");
      await window.waitFor({ state: "detached" });
      expect(await hasFocus()).toBe(true);
      expect(complaints).toEqual([]);
    },
  );

  test("[web.windows.consecutive] a dialog opened right after another has closed stays open", async () => {
    const { page } = await visit(setup.browser, setup.url);
    await seen(page, "in 4 collections");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("all settings");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
    await page.getByRole("radio", { name: "Dark" }).press("Space");
    expect(await page.getByRole("dialog").count()).toBe(1);
  });
});
