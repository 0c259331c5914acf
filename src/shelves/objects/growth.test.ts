import { expect, test } from "vitest";
import { growth } from "../../../tests/fixtures/growth.ts";
import { parseFile } from "../../text/objects/file.ts";
import { writtenFiles } from "./rename-edit.ts";
import { planRename } from "./renaming.ts";
import { makeView, type View } from "./view.ts";
import { assemble } from "./workspace.ts";

/** A folder that holds one file of these lines. */
function viewOf(text: string): View {
  const file = { path: "a.qmd.md", ...parseFile(text) };
  return makeView("folder", assemble("folder", [file]));
}

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** What somebody may write so that following it never ends, by its size. */
const hostile: Record<string, (size: number) => string> = {
  "one id again and again": (n) => lines(n, () => "# [[x: Lamp]]"),
  "one reference in every field": (n) => `# [[x]]\n\n${lines(n, (at) => `- k${at}: [[#x]]`)}`,
  "references between fields": (n) =>
    `# [[x]]\n\n${lines(n, (at) => `- k${at}: [[#x${at}]]`)}\n\n${lines(n, (at) => `[[#y${at}]]`)}`,
  "references in one text": (n) =>
    `# [[x]]\n\n## [[t: text]]\n\n${lines(n, (at) => `[[#x${at}]]`)}`,
};

test.each(Object.entries(hostile))(
  "[objects.workspace.growth] four times as much takes about four times as long: %s",
  (_name, text) => {
    const follow = (size: number) => viewOf(text(size)).allComplaints.length;
    expect(growth(1_500, follow)).toBeLessThan(10);
  },
);

test("[objects.workspace.growth] a plan to rename takes time by the number of its edits", () => {
  const plan = (size: number) => {
    const text = `# [[x]]\n\n# [[y]]\n\n${lines(size, (at) => `- k${at}: [[#x]]`)}`;
    const files = writtenFiles(() => text);
    const { edits } = planRename(viewOf(text), { old: "x", wanted: "z" }, files);
    return edits.filter(({ file, line }) => files.lineAt(file, line) !== "").length;
  };
  expect(plan(100)).toBe(101);
  expect(growth(1_500, plan)).toBeLessThan(10);
});

test("[objects.workspace.growth] a short name that every file has is followed in time that grows with them", () => {
  const text = (at: number) => `# [[f${at}]]\n\n- see: [[#notes]]\n\n## [[notes]]\n\n- a: 1\n`;
  const follow = (size: number) => {
    const files = Array.from({ length: size }, (_, at) => ({
      path: `f${at}.qmd.md`,
      ...parseFile(text(at)),
    }));
    return makeView("folder", assemble("folder", files)).allComplaints;
  };
  const [first, ...others] = follow(100);
  expect(first?.candidates).toHaveLength(50);
  expect(others).toHaveLength(99);
  expect(growth(1_500, follow)).toBeLessThan(10);
});
