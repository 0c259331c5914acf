import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOn, chromiumPath, seen, visit } from "../browser.ts";
import { type CodingSetup, openCodingSetup } from "./coding-page.ts";

describe.runIf(chromiumPath)("an agent works while a page is open", () => {
  let setup: CodingSetup;

  beforeAll(async () => {
    setup = await openCodingSetup();
  });
  afterAll(() => setup?.close());

  test("[web.coding.agent-acts] an agent's deletion is shown immediately, and one button restores it", {
    timeout: 60_000,
  }, async () => {
    const { page, complaints } = await visit(setup.browser, `${setup.served.url}/?view=coding`);
    await seen(page, "I hoped.");
    const codes = page.getByRole("region", { name: "Codes" });
    await codes.getByText("Hope", { exact: true }).waitFor();
    const passage = page.getByRole("button", { name: "hoped", exact: true });
    await passage.waitFor();

    await setup.agent("delete_code", { code_id: 1, delete_segments: true, confirm: true });
    const toasts = page.getByRole("complementary", { name: "Agent activity" });
    await toasts.getByText("Deleted code 'Hope' and 1 coded segment").first().waitFor();
    await codes.getByText("Hope", { exact: true }).waitFor({ state: "detached" });
    await passage.waitFor({ state: "detached" });
    expect(await barriersOn(page)).toEqual([]);

    await toasts.getByRole("button", { name: /^Undo Deleted code/ }).click();
    await seen(page, "Undone: Deleted code 'Hope'");
    await codes.getByText("Hope", { exact: true }).waitFor();
    await passage.waitFor();
    expect(complaints).toEqual([]);
  });

  test("[web.coding.agent-acts] changing what a person restored needs approval, and the page shows what is affected", {
    timeout: 60_000,
  }, async () => {
    const wish = { code_id: 1, delete_segments: true, confirm: true };
    expect(await setup.agent("delete_code", wish)).toMatchObject({ status: "pending_approval" });
    const { page } = await visit(setup.browser, `${setup.served.url}/?view=review`);
    await seen(page, "Deleted code 'Hope'");
    await seen(page, "Coded work affected: 1 coding in 1 source by 1 coder");

    await page.keyboard.press("a");
    await seen(page, "Accepted:");
    await seen(page, "approved on the page");
    await seen(page, "No pending proposals");
    await page.getByRole("button", { name: /^Undo u$/ }).press("Enter");
    await seen(page, "Undone.");
    await seen(page, "1 of 1");
  });
});
