import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, visit, waitForText } from "../browser.ts";
import { type FullHomePage, openFullHomePage } from "../full-home.ts";

/**
 * A dialog: the screen and the element that opens it, its name, and the control with the initial
 * focus.
 */
interface Opened {
  address: string;
  text: string;
  opener: (page: Page) => ReturnType<Page["locator"]>;
  name: string;
  first: string;
  /** Whether it has a text field. A click beside it must not discard that text. */
  hasTextField: boolean;
}

const button = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true });
const home = { address: "/", text: "in 4 collections", hasTextField: false };
const coding = { address: "/?view=coding&of=1", text: "I came up the stairs", hasTextField: true };

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
    hasTextField: false,
  },
];

describe.runIf(chromiumPath)("dialogs of the page", () => {
  let setup: FullHomePage;

  beforeAll(async () => {
    setup = await openFullHomePage();
  });
  afterAll(() => setup?.close());

  test.each(windows)(
    "[web.windows.focus] $name has a name, traps the focus and restores it",
    async ({ address, text, opener, name, first, hasTextField }) => {
      const { page, consoleErrors } = await visit(setup.browser, setup.url + address);
      await waitForText(page, text);
      const window = page.getByRole("dialog", { name, exact: true });
      const hasFocus = () => opener(page).evaluate((element) => element.matches(":focus"));

      await opener(page).press("Enter");
      await window.waitFor();
      expect(await window.locator(":focus").count()).toBe(1);
      const firstControl = window.getByRole("button", { name: first }).or(window.getByLabel(first));
      expect(await firstControl.first().evaluate((element) => element.matches(":focus"))).toBe(
        true,
      );
      for (let step = 0; step < 30; step++) {
        await page.keyboard.press("Tab");
        // After the last control, the focus moves to the browser's buttons and then to the first
        // control.
        expect(await page.locator(".page :focus:not(dialog, dialog *)").count()).toBe(0);
      }
      await page.keyboard.press("Escape");
      await window.waitFor({ state: "detached" });
      expect(await hasFocus()).toBe(true);

      await page.keyboard.press("Enter");
      await window.waitFor();
      await page.mouse.click(4, 4);
      expect(await window.isVisible()).toBe(hasTextField);
      if (hasTextField) await window.getByRole("button", { name: "Close" }).press("Enter");
      await window.waitFor({ state: "detached" });
      expect(await hasFocus()).toBe(true);
      expect(consoleErrors).toEqual([]);
    },
  );

  test("[web.windows.consecutive] a dialog opened right after another has closed stays open", async () => {
    const { page } = await visit(setup.browser, setup.url);
    await waitForText(page, "in 4 collections");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("all settings");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
    await page.getByRole("radio", { name: "Dark" }).press("Space");
    expect(await page.getByRole("dialog").count()).toBe(1);
  });
});
