import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, openBrowser, visit, waitForText } from "../browser.ts";
import { freshHome, runProgram, type Served, startServer } from "../program.ts";

describe.runIf(chromiumPath)("home in a browser", () => {
  let browser: Browser;
  let server: Served;
  let home: string;
  let papers: string;

  beforeAll(async () => {
    home = freshHome();
    papers = join(home, "papers");
    mkdirSync(papers);
    writeFileSync(join(papers, "one.md"), "# One\n\nThe lamp is lit.\n");
    [server, browser] = await Promise.all([startServer(home), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("[web.home.first-steps] an empty home explains three steps, and the first is done there by keyboard", async () => {
    const { page, consoleErrors } = await visit(browser, server.url);
    await waitForText(page, "Your library is empty");
    expect(await page.locator(".steps > li").count()).toBe(3);
    await waitForText(page, `${server.url}/mcp`);

    const folder = page.getByRole("textbox", { name: "Folder" });
    await folder.focus();
    await page.keyboard.type(join(home, "nowhere"));
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "not found" }).waitFor();
    await folder.fill(papers);
    expect(await page.getByRole("textbox", { name: "Name" }).getAttribute("placeholder")).toBe(
      "papers",
    );
    await folder.press("Enter");

    await waitForText(page, "1 document in 1 collection");
    await page.getByRole("link", { name: "papers" }).click();
    expect(page.url()).toBe(`${server.url}/?in=papers`);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.home.status] the home screen shows models, health and clients, and updates live", async () => {
    const { page, consoleErrors } = await visit(browser, server.url);
    await waitForText(page, "1 document in 1 collection");
    const part = (name: string) => page.getByRole("region", { name, exact: true });
    await part("Models").getByText("all-MiniLM-L6-v2").waitFor();
    await part("Health").getByText("No problems found.").waitFor();
    await part("Clients")
      .getByText(/^\d+ pages? open$/)
      .waitFor();
    await part("Work").getByText("Nothing is running.").waitFor();

    const begun = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "night-agent", version: "1" },
        },
      }),
    });
    await begun.text();
    const client = part("Clients").getByRole("listitem").filter({ hasText: "night-agent" });
    await client.getByText("MCP, connected").waitFor();
    const session = begun.headers.get("mcp-session-id") ?? "";
    await fetch(`${server.url}/mcp`, { method: "DELETE", headers: { "mcp-session-id": session } });
    await client.getByText("MCP, last seen at").waitFor();

    rmSync(papers, { recursive: true });
    await page.reload();
    await part("Health").getByText("1 problem found.").waitFor();
    await waitForText(page, "Restore the folder, or run 'lectern collection remove papers'.");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.home.work] long tasks are shown with progress and can be stopped", async () => {
    const many = join(home, "many");
    mkdirSync(many);
    const sentence = (n: number): string =>
      `Keeper ${n} walked the gallery at ${n} and found lamp ${n * 7} burning low.`;
    for (let n = 0; n < 400; n++) {
      const lines = Array.from({ length: 60 }, (_, line) => sentence(n * 100 + line));
      writeFileSync(join(many, `log-${n}.md`), `# Log ${n}\n\n${lines.join("\n")}\n`);
    }
    const added = await runProgram(["collection", "add", many], { home });
    expect(added).toMatchObject({ code: 0 });
    const { page } = await visit(browser, server.url);
    await waitForText(page, "400 documents");

    await page.getByRole("button", { name: "Prepare search by meaning" }).click();
    const models = page.getByRole("region", { name: "Models" });
    await models
      .getByText(/\d+ of 40\d/)
      .first()
      .waitFor();
    const other = await visit(browser, server.url);
    const work = other.page.getByRole("region", { name: "Work" });
    await work.getByText("Embed the index").waitFor();
    await work.getByText("for a page").waitFor();
    await work.getByRole("progressbar").waitFor();

    await models.getByRole("button", { name: "Stop" }).press("Enter");
    await models.getByText("Stopped.").waitFor();
    await models.getByRole("progressbar").waitFor({ state: "detached" });
  });
});
