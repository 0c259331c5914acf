import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeInterviews } from "../../fixtures/qualitative/interviews.ts";
import { agentAt } from "../../fixtures/qualitative/served-project.ts";
import { accessibilityIssues, chromiumPath, openBrowser, visit, waitForText } from "../browser.ts";
import { callerAt, credentialOf } from "../full-home.ts";
import { freshHome, type Served, sample, startServer } from "../program.ts";

describe.runIf(chromiumPath)("the review queue in a browser", () => {
  let browser: Browser;
  let server: Served;
  let library: string;
  let agent: ReturnType<typeof agentAt>;

  beforeAll(async () => {
    const home = freshHome();
    library = join(home, "library");
    cpSync(sample, library, { recursive: true });
    [server, browser] = await Promise.all([startServer(home, ["--root", library]), openBrowser()]);
    agent = agentAt(server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Proposes a decision as an agent. */
  const propose = (title: string) =>
    agent("propose-decision", { kind: "new", title, rationale: "It was asked for twice." });

  const open = async (): Promise<Page> => (await visit(browser, `${server.url}/?view=review`)).page;

  /** Rejects all pending proposals. */
  async function rejectAll(page: Page): Promise<void> {
    while (!(await page.getByText("No pending proposals").isVisible())) {
      const title = await page.locator("#proposal").textContent();
      await page.keyboard.press("r");
      await page.getByRole("textbox", { name: "Reason" }).press("Enter");
      await waitForText(page, `Rejected: ${title}`);
      await expect.poll(() => page.locator("h2").first().textContent()).not.toBe(title);
    }
  }

  const decisionFiles = () => readdirSync(join(library, "mcp/resources/adr")).sort();

  test("[core.web.review] a person decides proposals by keyboard while an agent makes new ones", async () => {
    const { page, consoleErrors } = await visit(browser, `${server.url}/?view=review`);
    await waitForText(page, "No pending proposals");
    const before = decisionFiles();

    await propose("Lend lanterns by the week");
    await propose("Paint the gate");
    await waitForText(page, "Lend lanterns by the week");
    await waitForText(page, "1 of 2");
    await waitForText(page, "It was asked for twice.");
    expect(decisionFiles()).toEqual(before);
    await page.keyboard.press("s");
    await waitForText(page, "2 of 2");
    await page.keyboard.press("k");
    await waitForText(page, "1 of 2");

    await page.keyboard.press("a");
    await waitForText(page, "Accepted:");
    const [made] = decisionFiles().filter((name) => !before.includes(name));
    expect(readFileSync(join(library, "mcp/resources/adr", made ?? ""), "utf8")).toContain(
      "Lend lanterns by the week",
    );

    await waitForText(page, "1 of 1");
    await page.keyboard.press("r");
    await page.getByRole("textbox", { name: "Reason" }).waitFor();
    await page.keyboard.type("It is new.");
    await page.keyboard.press("Enter");
    await waitForText(page, "Rejected:");
    await waitForText(page, "No pending proposals");
    const all = await (await fetch(`${server.url}/proposals?status=rejected`)).json();
    expect(all).toMatchObject({
      proposals: [{ reason: "It is new.", decided_by: { surface: "web" } }],
    });

    await page.getByRole("button", { name: /^Undo u$/ }).press("Enter");
    await waitForText(page, "Undone.");
    await waitForText(page, "1 of 1");
    await waitForText(page, "Paint the gate");
    await rejectAll(page);

    await page.getByRole("button", { name: /^Undo Record the decision 'Lend/ }).click();
    await waitForText(page, "Undone:");
    expect(decisionFiles()).toEqual(before);
    await waitForText(page, "1 of 1");
    await rejectAll(page);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.review.batch] selected proposals are accepted and undone together", async () => {
    const before = decisionFiles();
    for (const title of ["Oil the hinges", "Count the keys", "Sell the boat"]) await propose(title);
    const page = await open();
    await waitForText(page, "1 of 3");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Accept 2 selected" }).press("Enter");
    await waitForText(page, "Accepted 2 of 2.");
    await waitForText(page, "1 of 1");
    await waitForText(page, "Sell the boat");
    expect(decisionFiles()).toHaveLength(before.length + 2);
    await page.getByRole("button", { name: "Undo 2 changes" }).press("Enter");
    await waitForText(page, "Undone: 2 changes.");
    expect(decisionFiles()).toEqual(before);
    await waitForText(page, " of 3 ");
    await rejectAll(page);
  });

  test("[web.review.once] holding or repeating a key decides once, and the next proposal gets the focus", async () => {
    const titles = ["Wind the clock", "Feed the cat", "Post the letters"];
    for (const title of titles) await propose(title);
    const page = await open();
    const sent: string[] = [];
    let answer = (): void => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/page/accept_proposal", async (route) => {
      sent.push(route.request().url());
      await isAnswered;
      await route.continue();
    });
    // The interception applies reliably only to a page that is loaded afterwards: in an already
    // open, busy page it may start after the next key press.
    await page.reload();
    await waitForText(page, "1 of 3");
    await page.keyboard.press("a");
    await page.keyboard.press("a");
    answer();
    await waitForText(page, "Accepted:");
    await waitForText(page, "1 of 2");
    expect(sent).toHaveLength(1);
    await expect.poll(() => page.locator(":focus").textContent()).toContain("Feed the cat");

    await page.keyboard.down("a");
    await waitForText(page, "Accepted: Record the decision 'Feed the cat'");
    await page.keyboard.down("a");
    await page.keyboard.up("a");
    await page.keyboard.press("r");
    await page.getByRole("textbox", { name: "Reason" }).press("Enter");
    await waitForText(page, "No pending proposals");
    expect(sent).toHaveLength(2);
    await expect.poll(() => page.locator(":focus").textContent()).toBe("No pending proposals");
  });

  test("[web.review.edit] a proposal edited by a person is performed in the person's name", async () => {
    const person = callerAt(`${server.url}/page`, await credentialOf(server.url));
    await makeInterviews(agent);
    await person("set_policy", { operation: "batch_apply_codes", tier: "suggest" });
    await agent("batch_apply_codes", {
      operations: [
        { code_id: 2, source_id: 1, quote: "doubted" },
        { code_id: 1, source_id: 1, quote: "hoped again" },
      ],
      rationale: "They say so themselves.",
      confidence: 70,
    });
    const page = await open();
    await waitForText(page, "Confidence of the agent: 70 of 100");
    const passages = page.getByRole("list", { name: "Proposed passages" });
    await expect
      .poll(() => passages.locator("mark").allTextContents())
      .toEqual(["doubted", "hoped again"]);
    await waitForText(page, "I hoped. 😀 I ");

    await page.keyboard.press("e");
    const form = page.getByRole("form", { name: "Edit proposal" });
    await form.getByRole("button", { name: "Remove operations 2" }).press("Enter");
    await form.getByRole("textbox", { name: "quote" }).fill("I doubted, too");
    await form.getByRole("combobox", { name: "code" }).selectOption("Hope");
    await form.getByRole("button", { name: "Accept edited proposal" }).press("Enter");
    await waitForText(page, "Accepted as edited:");
    await waitForText(page, "after a person edited proposal");
    expect(await agent("list_segments_for_source", { source_id: 1 })).toMatchObject([
      { selected_text: "hoped", owner: "AI Agent" },
      { selected_text: "I doubted, too", code_id: 1, owner: "default" },
    ]);
  });

  test("[core.web.review-accessibility] axe finds no issues in the queue, light or dark, wide or narrow", async () => {
    await propose("Light the stairs");
    await agent("batch_apply_codes", {
      operations: [{ code_id: 2, source_id: 1, quote: "Then" }],
    });
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 360, 320]) {
        const { page } = await visit(browser, `${server.url}/?view=review`, {
          colorScheme,
          viewport: { width, height: 700 },
          reducedMotion: "reduce",
        });
        await waitForText(page, "Light the stairs");
        for (const step of ["e", "j"]) {
          await page.keyboard.press("e");
          await page.getByRole("form", { name: "Edit proposal" }).waitFor();
          expect(await accessibilityIssues(page), `${colorScheme} ${width}`).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
          await page.getByRole("heading", { name: "All proposals" }).click();
          await page.keyboard.press(step === "e" ? "j" : "k");
        }
        await page.keyboard.press("r");
        await page.getByRole("textbox", { name: "Reason" }).waitFor();
        expect(await accessibilityIssues(page), `${colorScheme} ${width}, rejecting`).toEqual([]);
        await page.context().close();
      }
    }
  });
});
