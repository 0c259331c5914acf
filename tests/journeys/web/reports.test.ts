import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeInterviews } from "../../fixtures/qualitative/interviews.ts";
import { agentAt } from "../../fixtures/qualitative/served-project.ts";
import { accessibilityIssues, chromiumPath, openBrowser, saveByButton, visit } from "../browser.ts";
import { callerAt, credentialOf } from "../full-home.ts";
import { freshHome, type Served, startServer } from "../program.ts";

describe.runIf(chromiumPath)("reports in a browser", () => {
  let browser: Browser;
  let server: Served;
  let agent: ReturnType<typeof agentAt>;
  let person: ReturnType<typeof callerAt>;

  beforeAll(async () => {
    const home = freshHome();
    [server, browser] = await Promise.all([startServer(home, ["--root", home]), openBrowser()]);
    agent = agentAt(server.url);
    person = callerAt(`${server.url}/page`, await credentialOf(server.url));
    await makeInterviews(agent);
    await agent("batch_apply_codes", {
      operations: [{ code_id: 2, source_id: 1, start_position: 0, end_position: 7 }],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const urlOf = (part: string): string => `${server.url}/?view=reports&part=${part}`;

  test("[core.web.reports] coding statistics are shown as tables and saved as CSV and SVG", async () => {
    const { page, consoleErrors } = await visit(browser, urlOf("cooccurrence"));
    const row = page.getByRole("row", { name: /^Hope/ });
    await row.getByRole("cell", { name: "1" }).waitFor();
    expect((await saveByButton(page, "Save as CSV")).text).toContain("1,Hope,2,Waiting,1");
    expect((await saveByButton(page, "Save chart as SVG")).text).toMatch(
      /^<svg .*Waiting.*<\/svg>$/s,
    );

    await page.getByRole("link", { name: "Frequencies" }).click();
    await page.getByRole("img", { name: "Code frequencies" }).waitFor();
    await agent("batch_apply_codes", {
      operations: [{ code_id: 1, source_id: 2, quote: "I waited" }],
    });
    await page.getByRole("row", { name: "Hope 2" }).waitFor();

    await page.getByRole("link", { name: "Agreement" }).click();
    await page.getByText("Fewer than two coders").first().waitFor();
    await person("batch_apply_codes", {
      operations: [{ code_id: 1, source_id: 1, quote: "hoped again" }],
    });
    await page.getByRole("img", { name: "Agreement of coders" }).waitFor();
    expect((await saveByButton(page, "Save chart as SVG")).text).toMatch(/Hope: .*Cohen's kappa/s);
    expect((await saveByButton(page, "Save as CSV")).text).toContain("Hope,AI Agent,default");
    expect(consoleErrors.filter((text) => !text.includes("status of 4"))).toEqual([]);
  });

  test("[core.web.reports-accessibility] axe finds no issues in reports, light or dark, wide or narrow", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 320]) {
        const { page } = await visit(browser, urlOf("frequencies"), {
          colorScheme,
          viewport: { width, height: 700 },
          reducedMotion: "reduce",
        });
        await page.getByRole("img", { name: "Code frequencies" }).waitFor();
        expect(await accessibilityIssues(page), `${colorScheme} ${width}`).toEqual([]);
        await page.getByRole("link", { name: "Co-occurrence" }).click();
        await page.getByRole("row", { name: /^Hope/ }).waitFor();
        expect(await accessibilityIssues(page), `${colorScheme} ${width}, matrix`).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await page.context().close();
      }
    }
  });
});
