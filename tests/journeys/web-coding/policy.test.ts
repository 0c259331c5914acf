import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityIssues, chromiumPath, visit, waitForText } from "../browser.ts";
import { connectModernClient } from "../mcp/client-eras.ts";
import { type CodingSetup, openCodingSetup } from "./coding-page.ts";

describe.runIf(chromiumPath)("the policy in a browser", () => {
  let setup: CodingSetup;
  let url: string;

  beforeAll(async () => {
    setup = await openCodingSetup();
    url = `${setup.server.url}/?view=review`;
  });
  afterAll(() => setup?.close());

  const proposal = { operations: [{ code_id: 2, source_id: 1, quote: "I doubted" }] };

  test("[web.policy.tiers] a person sets the agents' permissions, and they apply to an agent immediately", async () => {
    const { page, consoleErrors } = await visit(setup.browser, `${url}&part=policy`);
    const coding = page.getByRole("combobox", { name: "Apply codes (batch_apply_codes)" });
    await coding.focus();
    await coding.selectOption("suggest");
    await waitForText(page, "batch_apply_codes for every agent: suggest.");
    const mcp = await connectModernClient({ over: "http", url: `${setup.server.url}/mcp` }, "auto");
    expect(await mcp.call("batch_apply_codes", proposal)).toMatchObject({
      structuredContent: { data: { status: "pending_approval" } },
    });
    await mcp.close();
    const reading = page.getByRole("combobox", { name: "(read_source_content)" });
    expect(await reading.locator("option").allTextContents()).toEqual([
      "default: autonomous",
      "autonomous",
      "notify",
    ]);
    await coding.selectOption("default");
    await waitForText(page, "batch_apply_codes for every agent: default.");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.policy.agents] a rule for one agent is set by its name", async () => {
    const { page } = await visit(setup.browser, `${url}&part=policy`);
    await page.getByRole("textbox", { name: "or another agent, by name" }).fill("journey");
    await page.keyboard.press("Enter");
    await waitForText(page, "can only be stricter");
    await page
      .getByRole("combobox", { name: "Delete a code (delete_code)" })
      .selectOption("require");
    await waitForText(page, "delete_code for journey: require.");
    expect(await setup.person("list_policy", { agent: "journey" })).toMatchObject({
      rules: [{ operation: "delete_code", agent: "journey", tier: "require" }],
    });
  });

  test("[web.policy.reads] texts read by an agent are listed with links to the passage", async () => {
    await setup.agent("read_source_content", { source_id: 2, start_pos: 1, max_length: 6 });
    const { page } = await visit(setup.browser, `${url}&part=reads`);
    const row = page.getByRole("row", { name: "read_source_content" });
    await row.getByRole("link", { name: "David" }).press("Enter");
    await page.locator(".passage", { hasText: "Nobody" }).waitFor();
  });

  test("[web.policy.accessibility] axe finds no issues in the policy and the log, light or dark, wide or narrow", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 360]) {
        for (const [part, text] of [
          ["policy", "Operations that read"],
          ["reads", "read_source_content"],
        ] as const) {
          const { page } = await visit(setup.browser, `${url}&part=${part}`, {
            colorScheme,
            viewport: { width, height: 700 },
            reducedMotion: "reduce",
          });
          await waitForText(page, text);
          expect(await accessibilityIssues(page), `${part} ${colorScheme} ${width}`).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
          await page.context().close();
        }
      }
    }
  });
});
