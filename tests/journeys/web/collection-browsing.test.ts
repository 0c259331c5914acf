import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityIssues, chromiumPath, waitForText } from "../browser.ts";
import { openReadingSetup, type ReadingSetup } from "./reading-page.ts";

describe.runIf(chromiumPath)("browsing a collection in a browser", () => {
  let setup: ReadingSetup;

  beforeAll(async () => {
    setup = await openReadingSetup(["handbook", "many"], {
      prepare(library) {
        mkdirSync(join(library, "many"));
        for (let n = 1; n <= 205; n++) {
          const name = String(n).padStart(3, "0");
          writeFileSync(join(library, "many", `${name}.md`), `# Page ${n}\n\nText.\n`);
        }
      },
    });
  });
  afterAll(() => setup?.close());

  test("[web.home.browse] the documents of a collection are listed, navigated and opened by keyboard, and more on request", async () => {
    const { page, consoleErrors } = await setup.open("/");
    await page.getByRole("link", { name: "many" }).click();

    await waitForText(page, "The first 200 of 205 documents");
    const links = page.locator(".results a");
    await links.first().waitFor();
    expect(await links.count()).toBe(200);
    expect(await links.first().textContent()).toBe("Page 1");
    expect(await page.locator(".results .file").first().textContent()).toBe("many/001.md");

    await page.locator("#search").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Page 2", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await links.first().waitFor();
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Page 2");

    await page.getByRole("button", { name: "More documents" }).click();
    await expect.poll(() => links.count()).toBe(205);
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Page 201");
    expect(await page.getByRole("button", { name: "More documents" }).count()).toBe(0);

    await page.getByRole("radio", { name: "handbook" }).check({ force: true });
    await page.getByRole("link", { name: "Lending and returns" }).waitFor();
    expect(await links.count()).toBe(4);
    writeFileSync(join(setup.library, "handbook/zest.md"), "# Zest\n");
    await page.getByRole("link", { name: "Zest" }).waitFor();
    await page.locator("#search").fill("zest");
    await waitForText(page, "1 result");
    await page.locator("#search").fill("");
    await waitForText(page, "5 documents");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.home.browse] the list fits a narrow screen, and axe finds no issues", async () => {
    for (const width of [1280, 390]) {
      const { page } = await setup.open("/?in=handbook", { viewport: { width, height: 800 } });
      await page.getByRole("link", { name: "Lending and returns" }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
        width,
      );
      expect(await accessibilityIssues(page)).toEqual([]);
    }
  });
});
