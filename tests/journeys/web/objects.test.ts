import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  accessibilityIssues,
  chromiumPath,
  openBrowser,
  saveByButton,
  visit,
  waitForText,
} from "../browser.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "../program.ts";
import { startAgent } from "../stdio-agent.ts";

describe.runIf(chromiumPath)("the objects in a browser", () => {
  let browser: Browser;
  let server: Served;
  let home: string;
  let catalogue: string;

  beforeAll(async () => {
    home = freshHome();
    catalogue = join(home, "catalogue");
    cpSync(join(sample, "catalogue"), catalogue, { recursive: true });
    const added = await runProgram(["collection", "add", catalogue], { home });
    expect(added).toMatchObject({ code: 0 });
    [server, browser] = await Promise.all([startServer(home), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const open = (address = "") => visit(browser, `${server.url}/?view=objects${address}`);

  test("[web.objects.sample] the bundled sample library contains objects", async () => {
    const shipped = await startServer(freshHome(), ["--sample"]);
    try {
      const { page, consoleErrors } = await visit(browser, `${shipped.url}/?view=objects`);
      await waitForText(page, "Lighthouse archive");
      expect(consoleErrors).toEqual([]);
    } finally {
      await shipped.stop();
    }
  });

  test("[web.objects.page] an object is found, read, and navigated along its references and back", async () => {
    const { page, consoleErrors } = await open();
    await waitForText(page, "Lighthouse archive");
    await page.getByRole("searchbox", { name: "Find an object" }).fill("log book");
    await page.getByRole("link", { name: "Log book 1872 to 1901" }).click();

    const object = page.getByRole("article", { name: "Log book 1872 to 1901" });
    await object.getByText("1872", { exact: true }).waitFor();
    expect(await page.locator(":focus").textContent()).toBe("Log book 1872 to 1901");
    await object.getByRole("link", { name: "Main lamp" }).click();

    const lamp = page.getByRole("article", { name: "Main lamp" });
    await lamp.getByRole("region", { name: "Referenced by" }).getByText("log_book").waitFor();
    await page.reload();
    await lamp.getByRole("link", { name: "chart", exact: true }).click();
    await page.getByRole("article", { name: "Chart of the harbour" }).waitFor();
    await page.goBack();
    await lamp.waitFor();

    await page.getByRole("link", { name: "Kinds" }).click();
    const kind = page.getByRole("row", { name: /^Person 4/ });
    await kind.waitFor();
    expect(await kind.textContent()).toContain("role");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.objects.problems] a problem links to its line and disappears when the file is fixed", async () => {
    const file = join(catalogue, "holdings.qmd.md");
    const before = readFileSync(file, "utf8");
    const { page, consoleErrors } = await open("&part=problems");
    await waitForText(page, "No problems");

    appendFileSync(file, "\n## Tapes [[tapes: Holding]]\n\n- kept_by: [[#nobody]]\n");
    await waitForText(page, "Object 'nobody' not found");
    const line = readFileSync(file, "utf8").split("\n").indexOf("- kept_by: [[#nobody]]") + 1;
    await page.getByRole("link", { name: `holdings.qmd.md:${line}` }).click();
    const currentLine = page.locator(".reader [aria-current=location]");
    await currentLine.waitFor();
    expect(await currentLine.getAttribute("data-line")).toBe(String(line));
    expect(await currentLine.textContent()).toContain("kept_by");

    await page.goBack();
    await waitForText(page, "1 problem");
    writeFileSync(file, before);
    await waitForText(page, "No problems");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.objects.graph] a neighborhood is drawn, navigated by keyboard, filtered by kind and shown as a table", async () => {
    const { page, consoleErrors } = await open("&of=lamp&part=graph");
    const drawing = page.getByRole("region", { name: "Diagram" });
    await drawing.getByRole("link", { name: "The tower, Building" }).waitFor();
    await waitForText(page, "3 connected objects");

    await page.getByRole("link", { name: "Two steps" }).focus();
    await page.keyboard.press("Enter");
    await waitForText(page, "9 connected objects");
    const rows = page.getByRole("table", { name: "Connections" }).getByRole("row");
    expect(await rows.count()).toBe(11);

    await page.getByRole("checkbox", { name: "Person" }).focus();
    await page.keyboard.press("Space");
    await waitForText(page, "5 connected objects");
    expect(await drawing.getByRole("link", { name: /Person/ }).count()).toBe(0);
    expect(await rows.count()).toBe(7);

    await drawing.getByRole("link", { name: "The tower, Building" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "The tower" }).waitFor();

    await page.getByRole("textbox", { name: "Shortest path to" }).fill("tomas");
    await page.keyboard.press("Enter");
    const steps = page.locator(".steps li");
    await steps.last().getByText("Tomas").waitFor();
    expect(await steps.allTextContents()).toEqual([
      "The tower",
      "← lightsMain lamp",
      "← showsLog book 1872 to 1901",
      "checked_by →Tomas",
    ]);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.objects.sql] an SQL result is shown as a table that says if it was truncated", async () => {
    const { page } = await open("&part=sql");
    const field = page.getByRole("textbox", { name: "Read-only SQL" });
    await waitForText(page, "source_id, source_field, target_id");
    await waitForText(page, "collection, path, file");

    await field.fill("SELECT __id, __label FROM objects WHERE __kind = 'Person' ORDER BY __id");
    await field.press("Control+Enter");
    await waitForText(page, "4 rows");
    await page.getByRole("cell", { name: "Agnes Holm" }).waitFor();
    await page.reload();
    await waitForText(page, "4 rows");
    expect(await field.inputValue()).toContain("'Person'");

    await field.fill(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300) SELECT i FROM n",
    );
    await page.getByRole("button", { name: "Run" }).click();
    await waitForText(page, "First 200 of 300 rows");
    await page.getByRole("combobox", { name: "Row limit" }).selectOption("1000");
    await waitForText(page, "300 rows");

    await field.fill("DELETE FROM objects");
    await field.press("Control+Enter");
    await page.locator(".failure").waitFor();
    await page.getByRole("link", { name: "All holdings by year" }).click();
    await waitForText(page, "2 rows");
    await page.getByRole("link", { name: "log_book" }).click();
    await page.getByRole("article", { name: "Log book 1872 to 1901" }).waitFor();
  });

  test("[web.objects.csv] rows are saved as CSV without text that a spreadsheet would run as a formula", async () => {
    const statement = `SELECT '=1+1' AS sum, -5 AS depth, 'said "no"' AS note`;
    const { page } = await open(`&part=sql&of=${encodeURIComponent(statement)}`);
    await waitForText(page, "1 row");
    expect(await saveByButton(page, "Save as CSV")).toEqual({
      name: "objects.csv",
      text: `sum,depth,note\r\n'=1+1,-5,"said ""no"""\r\n`,
    });
  });

  test("[web.objects.rename] after a person accepts an agent's rename, the new name is shown immediately", async () => {
    const agent = startAgent(home);
    await agent.initialize();
    const { page } = await open("&of=ruben");
    await page.getByRole("article", { name: "Ruben" }).waitFor();
    const proposal = { path: catalogue, old_id: "ruben", new_id: "ruben_holm", propose: true };
    expect(await agent.call("qmdc_rename_object", proposal)).not.toHaveProperty("isError", true);

    await page.getByRole("link", { name: "Review" }).click();
    await waitForText(page, "Rename 'ruben' to 'ruben_holm'");
    await page.keyboard.press("a");
    await waitForText(page, "Accepted:");
    await page.getByRole("link", { name: "Objects" }).click();
    await waitForText(page, "ruben_holm");
    await page.getByRole("link", { name: "Chart of the harbour" }).click();
    await page.getByRole("article").getByRole("link", { name: "Ruben" }).click();
    await page.getByRole("article", { name: "Ruben" }).getByText("ruben_holm").waitFor();
    await agent.close();
  });

  test("[web.objects.empty] a library without objects explains how to write the first one", async () => {
    const empty = freshHome();
    const other = await startServer(empty);
    try {
      const { page, consoleErrors } = await visit(browser, `${other.url}/?view=objects`);
      await waitForText(page, "No objects yet");
      expect(await accessibilityIssues(page)).toEqual([]);

      const folder = join(empty, "things");
      mkdirSync(folder);
      writeFileSync(join(folder, "a.qmd.md"), "# Lantern [[lantern: Lamp]]\n");
      const added = await runProgram(["collection", "add", folder], { home: empty });
      expect(added).toMatchObject({ code: 0 });
      await page.getByRole("link", { name: "Lantern" }).waitFor();
      expect(consoleErrors).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});
