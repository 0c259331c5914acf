import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, visit, waitForText } from "../browser.ts";
import { type FullHomePage, openFullHomePage } from "../full-home.ts";

describe.runIf(chromiumPath)("the palette and the settings in a browser", () => {
  let setup: FullHomePage;

  beforeAll(async () => {
    setup = await openFullHomePage();
  });
  afterAll(() => setup?.close());

  const selectedOption = (page: Page) => page.locator(".palette [aria-selected=true]");
  const runCommand = async (page: Page, name: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command" }).waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  };

  test("[web.palette.find] screens, collections, documents and projects are found by a few letters and opened by keyboard", async () => {
    const { page, consoleErrors } = await visit(setup.browser, `${setup.url}/?q=lending`);
    await page.getByRole("link", { name: "Lending and returns" }).click();
    await page.getByRole("region", { name: "Lending and returns" }).waitFor();

    await runCommand(page, "architec");
    await waitForText(page, "3 decisions");
    await runCommand(page, "lending");
    await page.getByRole("region", { name: "Lending and returns" }).waitFor();
    await runCommand(page, "in notes");
    await page.waitForURL(`${setup.url}/?in=notes`);
    expect(await page.locator(":focus").getAttribute("id")).toBe("search");

    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /night-watch/ }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await runCommand(page, "night-watch");
    await page.waitForURL(/view=coding/);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.palette.documents] documents never opened before are found by title or path", async () => {
    const { page, consoleErrors } = await visit(setup.browser, setup.url);
    await waitForText(page, "documents in");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("opening ho");
    const documents = page.getByRole("group", { name: "Documents", exact: true });
    await documents.getByRole("option").first().waitFor();
    expect(await documents.locator(".hint").allTextContents()).toEqual([
      "handbook/opening-hours.md",
    ]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/open=handbook%2Fopening-hours\.md/);

    // Enter may be pressed before the results arrive.
    await runCommand(page, "preserva");
    await page.waitForURL(/open=handbook%2Fpreservation\.md/);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.palette.keys] arrow keys move, Escape closes and restores the focus, and nonsense has no results", async () => {
    const { page } = await visit(setup.browser, `${setup.url}/?view=review`);
    await waitForText(page, "Lend lanterns by the week");
    await page.getByRole("button", { name: "Settings" }).focus();
    await page.keyboard.press("Control+k");
    const first = await selectedOption(page).textContent();
    await page.keyboard.press("ArrowDown");
    expect(await selectedOption(page).textContent()).not.toBe(first);
    await page.keyboard.press("ArrowUp");
    expect(await selectedOption(page).textContent()).toBe(first);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => selectedOption(page).textContent()).toContain("All shortcuts");
    await page.keyboard.type("zebra");
    await waitForText(page, "No matches.");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.locator(":focus").textContent()).toBe("Settings");
  });

  test("[web.palette.acts] a screen's action can be run from the palette, with its key shown, even if single keys are off", async () => {
    const { page } = await visit(setup.browser, `${setup.url}/?view=review`);
    await waitForText(page, "Lend lanterns by the week");
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await page.getByRole("checkbox", { name: "Single-key" }).uncheck();
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+k");
    const act = page.getByRole("option", { name: /Next proposal/ });
    expect(await act.locator("kbd").textContent()).toBe("j");
    await act.click();
    await waitForText(page, "Paint the gate green");
  });

  test("[web.keys.sheet] the shortcut sheet lists the keys of every screen, and g with a letter opens each", async () => {
    const { page } = await visit(setup.browser, setup.url);
    await waitForText(page, "documents in");
    await page.keyboard.press("Tab");
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const screen of ["Everywhere", "Review", "Objects", "Coding", "Repository"]) {
      await sheet.getByText(screen, { exact: true }).first().waitFor();
    }
    await page.keyboard.press("Escape");
    for (const [letter, view] of [
      ["r", "review"],
      // On the review screen `a` accepts a proposal, but after `g` it only selects a screen.
      ["a", "architecture"],
      ["o", "objects"],
      ["p", "reports"],
      ["s", "repository"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(letter);
      await page.waitForURL(`${setup.url}/?view=${view}`);
      await page.locator(`main.${view} > *`).first().waitFor();
    }
    expect(await setup.person("proposals")).toMatchObject({ total: 2 });
  });

  test("[web.settings.appearance] theme and size are chosen by keyboard, stored, and applied before the first paint", async () => {
    const { page, consoleErrors } = await visit(setup.browser, setup.url, { colorScheme: "light" });
    await waitForText(page, "documents in");
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const size = () => page.evaluate("getComputedStyle(document.documentElement).fontSize");
    const [light, defaultSize] = [await background(), await size()];

    await page.keyboard.press("Tab");
    await page.keyboard.press(",");
    await page.getByRole("radio", { name: "System" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("radio", { name: "Largest" }).check();
    await page.keyboard.press("Escape");
    const dark = await background();
    expect(dark).not.toBe(light);
    expect(Number.parseFloat(String(await size()))).toBeGreaterThan(
      Number.parseFloat(String(defaultSize)),
    );

    // With the page's script blocked, only the inline script before the first paint can set them.
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.reload();
    expect(await background()).toBe(dark);
    expect(await page.evaluate("document.documentElement.dataset.size")).toBe("largest");
    expect(consoleErrors.filter((name) => !name.includes("ERR_FAILED"))).toEqual([]);
  });
});
