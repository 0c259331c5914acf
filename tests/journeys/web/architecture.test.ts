import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, openBrowser, visit, waitForText } from "../browser.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "../program.ts";
import { startAgent } from "../stdio-agent.ts";

const records = "mcp/resources/adr";
const hostile = `<img src=x onerror=alert(1)> <script>alert(2)</script> [here](javascript:alert(3)) ![a](https://example.org/a.png)`;

describe.runIf(chromiumPath)("the architecture in a browser", () => {
  let browser: Browser;
  let server: Served;
  let home: string;
  let library: string;

  beforeAll(async () => {
    home = freshHome();
    library = join(home, "library");
    cpSync(sample, library, { recursive: true });
    const args = ["adr", "supersede", "1", "Keep loans in two ledgers", "--date", "2026-03-01"];
    const created = await runProgram([...args, "--context", hostile], { home, cwd: library });
    expect(created).toMatchObject({ code: 0 });
    [server, browser] = await Promise.all([startServer(home, ["--root", library]), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const open = (address = "") => visit(browser, `${server.url}/?view=architecture${address}`);

  test("[web.architecture.decisions] decisions are shown with status, timeline and graph, and their text cannot run code", async () => {
    const { page, consoleErrors } = await open();
    await waitForText(page, "3 decisions");
    await page.getByRole("radio", { name: "superseded" }).check();
    await waitForText(page, "1 decision");
    await page.getByRole("link", { name: "1. Keep loans in one ledger" }).click();
    const old = page.getByRole("article", { name: "1. Keep loans in one ledger" });
    await old.locator("p", { hasText: "Superseded by" }).first().waitFor();
    expect(await page.locator(":focus").textContent()).toBe("1. Keep loans in one ledger");
    await old.getByRole("link", { name: "Keep loans in two ledgers" }).first().click();

    const next = page.getByRole("article", { name: "3. Keep loans in two ledgers" });
    await next.getByText("<script>alert(2)</script>").waitFor();
    expect(await next.locator("img, script, [href^='javascript']").count()).toBe(0);

    await page.getByRole("link", { name: "Timeline" }).click();
    const year = page.getByRole("region", { name: "2026" });
    await year.waitFor();
    expect(await year.getByRole("listitem").locator("a").first().textContent()).toBe(
      "1. Keep loans in one ledger",
    );
    await page.getByRole("link", { name: "Graph" }).click();
    const box = page
      .getByRole("region", { name: "Diagram" })
      .getByRole("link", { name: "3. Keep loans in two ledgers, accepted · 2026-03-01" });
    await box.waitFor();
    const row = page.getByRole("table", { name: "Superseded decisions" }).getByRole("row").nth(1);
    expect(await row.textContent()).toBe(
      "1. Keep loans in one ledger3. Keep loans in two ledgersaccepted",
    );
    await box.focus();
    await page.keyboard.press("Enter");
    await next.waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("[web.architecture.checks] a finding links to the line of the record", async () => {
    const file = `${records}/009-mend-the-roof.md`;
    const { page, consoleErrors } = await open("&part=checks");
    await page.getByRole("region", { name: "Checks" }).waitFor();
    writeFileSync(
      join(library, file),
      "# 9. Mend the roof\n\n## Status\n\nAmends [8. Gone](008-gone.md)\n\n## Context\n\nIt rains.\n",
    );
    await page.reload();
    const finding = page.getByRole("link", { name: `${file}:5` }).first();
    await finding.click();
    const currentLine = page.locator(".lines [aria-current]");
    await currentLine.waitFor();
    expect(await currentLine.textContent()).toBe("Amends [8. Gone](008-gone.md)");
    rmSync(join(library, file));
    expect(consoleErrors).toEqual([]);
  });

  test("[web.architecture.documents] guidelines and patterns are shown and follow their files", async () => {
    const { page, consoleErrors } = await open("&part=documents");
    await page.getByRole("link", { name: "One ledger" }).click();
    const document = page.getByRole("article", { name: "One ledger" });
    await document.getByRole("heading", { name: "When to use it" }).waitFor();
    await page.goBack();

    const file = join(library, "mcp/resources/guidelines/lamps-stay-lit.md");
    writeFileSync(file, "# Lamps stay lit\n\nNever *two* dark at once.\n");
    await page.getByRole("link", { name: "Lamps stay lit" }).click();
    await page.getByRole("article").getByText("dark at once").waitFor();
    writeFileSync(file, "# Lamps stay lit\n\nNever three.\n");
    await page.getByRole("article").getByText("Never three.").waitFor();
    rmSync(file);
    expect(consoleErrors.filter((args) => !args.includes("404"))).toEqual([]);
  });

  test("[web.architecture.prompts] a prompt can be tried with its arguments, and reports missing ones", async () => {
    const { page } = await open("&part=prompts");
    await page.getByRole("link", { name: "Label an item" }).click();
    const item = page.getByRole("textbox", { name: /^item/ });
    await item.waitFor();
    expect(await page.locator(":focus").textContent()).toBe("Label an item");

    await page.keyboard.press("Tab");
    await page.keyboard.type("/ and ?");
    expect(await item.inputValue()).toBe("/ and ?");
    await item.fill("x".repeat(2_001));
    await page.getByRole("button", { name: "Preview" }).press("Enter");
    await waitForText(page, "exceeds maximum length of 2000");

    await item.fill("A brass lamp {{tongue}}");
    await page.getByRole("button", { name: "Preview" }).press("Enter");
    const message = page.getByRole("region", { name: "Message 1" });
    await message.getByText("Item: A brass lamp {{tongue}}").waitFor();
    expect(await message.textContent()).toContain("Originals stay");
  });

  test("[web.architecture.live] a decision proposed by an agent and accepted by a person appears immediately", async () => {
    const agent = startAgent(home, ["--root", library]);
    await agent.initialize();
    const { page: secondPage } = await open();
    await waitForText(secondPage, "3 decisions");
    const proposal = { kind: "new", title: "Paint the gate green", date: "2026-04-01" };
    expect(await agent.call("propose-decision", proposal)).not.toHaveProperty("isError", true);

    const { page } = await visit(browser, `${server.url}/?view=review`);
    await waitForText(page, "Paint the gate green");
    await page.keyboard.press("a");
    await waitForText(page, "Accepted:");
    await secondPage.getByRole("link", { name: "4. Paint the gate green" }).click();
    await secondPage.getByRole("article", { name: "4. Paint the gate green" }).waitFor();
    expect(readFileSync(join(library, records, "004-paint-the-gate-green.md"), "utf8")).toContain(
      "Paint the gate green",
    );
    await agent.close();
  });
});
