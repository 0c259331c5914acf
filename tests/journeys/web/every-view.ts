import type { Page } from "playwright-core";
import { waitForText } from "../browser.ts";

/** An address, the text to wait for, and the keys to press then. */
export type View = readonly [address: string, words: string, ...keys: string[]];

const record = "mcp/resources/adr/001-keep-loans-in-one-ledger.md";

/** Every screen with each of its parts, full and empty, and every dialog. */
export const views: Record<string, readonly View[]> = {
  home: [
    ["/", "in 4 collections"],
    ["/", "in 4 collections", "Control+k"],
    ["/", "in 4 collections", "Tab", ","],
    ["/", "in 4 collections", "Tab", "?"],
  ],
  search: [
    ["/?q=tape&in=handbook", "1 result"],
    ["/?q=tape&in=nowhere", "Collection not found"],
    ["/?q=zebra", "Nothing found"],
  ],
  reader: [
    ["/?q=tape&open=handbook/preservation.md&line=15", "stand upright"],
    ["/?open=handbook/missing.md", "Document not found"],
    ["/?open=handbook/preservation.md", "stand upright", "Tab", "l"],
    ["/?open=lamps/src/keeper.ts&line=2", "stays awake"],
  ],
  review: [
    ["/?view=review", "Lend lanterns by the week"],
    ["/?view=review&part=policy", "Operations that write"],
    ["/?view=review&part=reads", "Passage"],
  ],
  objects: [
    ["/?view=objects&in=catalogue", "Lighthouse archive"],
    ["/?view=objects&in=catalogue&part=files", "holdings.qmd.md"],
    ["/?view=objects&in=catalogue&part=kinds", "Connections"],
    ["/?view=objects&in=catalogue&part=problems", "No problems"],
    ["/?view=objects&in=catalogue&of=log_book", "Referenced by"],
    ["/?view=objects&in=catalogue&of=nobody", "no object matching"],
    ["/?view=objects&in=catalogue&of=lamp&part=graph-2", "connected objects"],
    ["/?view=objects&in=catalogue&part=sql&of=SELECT+*+FROM+objects", "rows"],
  ],
  architecture: [
    ["/?view=architecture", "decisions"],
    ["/?view=architecture&part=timeline", "2026"],
    ["/?view=architecture&part=graph", "Superseded decisions"],
    ["/?view=architecture&part=checks", "warning"],
    [`/?view=architecture&part=decision&of=${record}`, "Superseded by"],
    [`/?view=architecture&part=decision-3&of=${record}`, "Date: 2026-01-14"],
    ["/?view=architecture&part=decision&of=nothing.md", "There is no"],
    ["/?view=architecture&part=documents", "Patterns"],
    ["/?view=architecture&part=document&of=architecture://patterns/one-ledger", "When to use it"],
    ["/?view=architecture&part=prompts&of=label-an-item", "Preview"],
  ],
  coding: [
    ["/?view=coding&of=1", "I came up the stairs"],
    ["/?view=coding&of=1&part=0-30", "I came up the stairs"],
    ["/?view=coding&of=inbox", "The inbox is empty."],
  ],
  reports: [
    ["/?view=reports", "Waiting"],
    ["/?view=reports&part=cooccurrence", "Waiting"],
    ["/?view=reports&part=case_matrix", "Codes by case"],
    ["/?view=reports&part=agreement", "Agreement"],
  ],
  repository: [
    ["/?view=repository", "Choose a repository"],
    ["/?view=repository&of=lamps", "Packages"],
    ["/?view=repository&of=lamps&part=map", "Tutorials"],
    ["/?view=repository&of=lamps&part=gaps", "Suggested page"],
    ["/?view=repository&of=lamps&part=drift", "was renamed"],
    ["/?view=repository&of=lamps&part=links", "2 broken"],
    ["/?view=repository&of=lamps&part=freshness", "why-oil.md"],
    ["/?view=repository&of=nowhere", "Repository path does not exist"],
  ],
};

/** The screens of an empty server. */
export const empty: readonly View[] = [
  ["/", "Your library is empty"],
  ["/?view=review", "No pending proposals"],
  ["/?view=objects", "No objects yet"],
  ["/?view=coding", "No project is open"],
  ["/?view=reports", "No project is open"],
  ["/?view=nonsense", "No screen has this name"],
];

/** Opens a view of the page and presses its keys. */
export async function openView(page: Page, url: string, view: View): Promise<void> {
  const [address, text, ...keys] = view;
  await page.goto(url + address);
  await waitForText(page, text);
  for (const key of keys) await page.keyboard.press(key);
}
