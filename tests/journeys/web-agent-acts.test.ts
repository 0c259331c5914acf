import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOn, chromiumPath, seen, visit } from "./browser.ts";
import { type CodingHouse, openCodingHouse } from "./coding-page.ts";

describe.runIf(chromiumPath)("an agent at work beside an open page", () => {
  let house: CodingHouse;

  beforeAll(async () => {
    house = await openCodingHouse();
  });
  afterAll(() => house?.close());

  test("[web.coding.agent-acts] what an agent deletes is told at once, and one button brings it back", {
    timeout: 60_000,
  }, async () => {
    const { page, complaints } = await visit(house.browser, `${house.served.url}/?view=coding`);
    await seen(page, "I hoped.");
    const codes = page.getByRole("region", { name: "Codes" });
    await codes.getByText("Hope", { exact: true }).waitFor();
    const passage = page.getByRole("button", { name: "hoped", exact: true });
    await passage.waitFor();

    await house.agent("delete_code", { code_id: 1, delete_segments: true, confirm: true });
    const toasts = page.getByRole("complementary", { name: "What agents do" });
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

  test("[web.coding.agent-acts] what a person brought back waits for a yes, and the page says what it affects", {
    timeout: 60_000,
  }, async () => {
    const wish = { code_id: 1, delete_segments: true, confirm: true };
    expect(await house.agent("delete_code", wish)).toMatchObject({ status: "pending_approval" });
    const { page } = await visit(house.browser, `${house.served.url}/?view=review`);
    await seen(page, "Deleted code 'Hope'");
    await seen(page, "Coded work affected: 1 coding in 1 source by 1 coder");

    await page.keyboard.press("a");
    await seen(page, "Accepted:");
    await seen(page, "approved on the page");
    await seen(page, "Nothing waits for you");
    await page.getByRole("button", { name: "Undo this" }).press("Enter");
    await seen(page, "Took it back.");
    await seen(page, "1 of 1");
  });
});
