import { expect, test } from "vitest";
import { growth } from "../../../../tests/fixtures/growth.ts";
import { parseFile } from "../../../text/objects/parsing/parse-file.ts";
import { createFileTexts } from "../rename/rename-edit.ts";
import { planRename } from "../rename/rename-plan.ts";
import { assembleWorkspace } from "./workspace.ts";
import { createWorkspaceView, type WorkspaceView } from "./workspace-view.ts";

/** A folder with one file of these lines. */
function viewOf(text: string): WorkspaceView {
  const file = { path: "a.qmd.md", ...parseFile(text) };
  return createWorkspaceView("folder", assembleWorkspace("folder", [file]));
}

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

/** Inputs that are expensive to process, by size. */
const hostile: Record<string, (size: number) => string> = {
  "one id again and again": (n) => lines(n, () => "# [[x: Lamp]]"),
  "one reference in every field": (n) => `# [[x]]\n\n${lines(n, (at) => `- k${at}: [[#x]]`)}`,
  "references between fields": (n) =>
    `# [[x]]\n\n${lines(n, (at) => `- k${at}: [[#x${at}]]`)}\n\n${lines(n, (at) => `[[#y${at}]]`)}`,
  "references in one text": (n) =>
    `# [[x]]\n\n## [[t: text]]\n\n${lines(n, (at) => `[[#x${at}]]`)}`,
};

test.each(Object.entries(hostile))(
  "[objects.workspace.growth] time grows linearly with input size: %s",
  (_name, text) => {
    const follow = (size: number) => viewOf(text(size)).allDiagnostics.length;
    expect(growth(1_500, follow)).toBeLessThan(10);
  },
);

test("[objects.workspace.growth] planning a rename takes time linear in its edits", () => {
  const plan = (size: number) => {
    const text = `# [[x]]\n\n# [[y]]\n\n${lines(size, (at) => `- k${at}: [[#x]]`)}`;
    const files = createFileTexts(() => text);
    const { edits } = planRename(viewOf(text), { old: "x", wanted: "z" }, files);
    return edits.filter(({ file, line }) => files.lineAt(file, line) !== "").length;
  };
  expect(plan(100)).toBe(101);
  expect(growth(1_500, plan)).toBeLessThan(10);
});

test("[objects.workspace.growth] a short name defined in every file is resolved in linear time", () => {
  const text = (at: number) => `# [[f${at}]]\n\n- see: [[#notes]]\n\n## [[notes]]\n\n- a: 1\n`;
  const follow = (size: number) => {
    const files = Array.from({ length: size }, (_, at) => ({
      path: `f${at}.qmd.md`,
      ...parseFile(text(at)),
    }));
    return createWorkspaceView("folder", assembleWorkspace("folder", files)).allDiagnostics;
  };
  const [first, ...others] = follow(100);
  expect(first?.candidates).toHaveLength(50);
  expect(others).toHaveLength(99);
  expect(growth(1_500, follow)).toBeLessThan(10);
});
