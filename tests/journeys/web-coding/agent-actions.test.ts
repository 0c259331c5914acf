import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityIssues, chromiumPath, visit, waitForText } from "../browser.ts";
import { type CodingSetup, openCodingSetup } from "./coding-page.ts";

describe.runIf(chromiumPath)("an agent works while a page is open", () => {
  let setup: CodingSetup;

  beforeAll(async () => {
    setup = await openCodingSetup();
  });
  afterAll(() => setup?.close());

  test("[web.coding.agent-acts] an agent's deletion is shown immediately, and one button restores it", async () => {
    const { page, consoleErrors } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    await waitForText(page, "I hoped.");
    const codes = page.getByRole("region", { name: "Codes" });
    await codes.getByText("Hope", { exact: true }).waitFor();
    const passage = page.getByRole("button", { name: "hoped", exact: true });
    await passage.waitFor();

    await setup.agent("delete_code", { code_id: 1, delete_segments: true, confirm: true });
    const toasts = page.getByRole("complementary", { name: "Agent activity" });
    await toasts.getByText("Deleted code 'Hope' and 1 coded segment").first().waitFor();
    await codes.getByText("Hope", { exact: true }).waitFor({ state: "detached" });
    await passage.waitFor({ state: "detached" });
    expect(await accessibilityIssues(page)).toEqual([]);

    await toasts.getByRole("button", { name: /^Undo Deleted code/ }).click();
    await waitForText(page, "Undone: Deleted code 'Hope'");
    await codes.getByText("Hope", { exact: true }).waitFor();
    await passage.waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("[web.coding.agent-acts] an agent's change to restored data needs approval, and the page shows what is affected", async () => {
    const deletion = { code_id: 1, delete_segments: true, confirm: true };
    expect(await setup.agent("delete_code", deletion)).toMatchObject({
      status: "pending_approval",
    });
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=review`);
    await waitForText(page, "Deleted code 'Hope'");
    await waitForText(page, "Coded work affected: 1 coding in 1 source by 1 coder");

    await page.keyboard.press("a");
    await waitForText(page, "Accepted:");
    await waitForText(page, "approved on the page");
    await waitForText(page, "No pending proposals");
    await page.getByRole("button", { name: /^Undo u$/ }).press("Enter");
    await waitForText(page, "Undone.");
    await waitForText(page, "1 of 1");
  });
});
