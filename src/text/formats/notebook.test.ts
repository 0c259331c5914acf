import { expect, test } from "vitest";
import { cpuMs } from "../../../tests/fixtures/cpu-time.ts";
import { notebookToMarkdown } from "./notebook.ts";

const notebook = (cells: object[], metadata: object = {}) =>
  notebookToMarkdown(JSON.stringify({ nbformat: 4, metadata, cells }));

const code = (source: string, ...outputs: object[]) => ({ cell_type: "code", source, outputs });
const words = (source: string | string[]) => ({ cell_type: "markdown", source });

test("Markdown is unchanged, code gets a fence with the kernel's language", () => {
  expect(
    notebook([words(["# Größe\n", "\n", "灯台"]), code("x <- 1")], {
      kernelspec: { language: "R" },
    }),
  ).toBe("# Größe\n\n灯台\n\n```r\nx <- 1\n```\n");
});

test("outputs are shown as text, shortened, and images are not", () => {
  const long = Array.from({ length: 500 }, (_, n) => `row ${n}\n`);
  const text = notebook([
    code(
      "run()",
      { output_type: "stream", text: long },
      {
        output_type: "display_data",
        data: { "image/png": "iVBORw0KGgo", "text/plain": "<Figure size 1x1>" },
      },
      { output_type: "execute_result", data: { "text/plain": ["42"] } },
      {
        output_type: "error",
        ename: "ValueError",
        evalue: "\u001b[31mbad\u001b[0m",
        traceback: ["x"],
      },
    ),
  ]);
  expect(text).toContain("row 19\n…\n```");
  expect(text).not.toContain("row 20");
  expect(text).toContain("```text\n42\n```");
  expect(text).toContain("ValueError: bad\n");
  expect(text).not.toMatch(/iVBOR|Figure/);
});

test("images inside Markdown lose their data", () => {
  expect(notebook([words("![a](data:image/png;base64,iVBORw0KGgo=) b")])).toBe("![a](data:) b\n");
});

test("a fence is longer than those in the code", () => {
  expect(notebook([code("s = '''\n```\n'''")])).toBe("````python\ns = '''\n```\n'''\n````\n");
});

test("the notebook's title comes first if there is no heading", () => {
  expect(notebook([words("text")], { title: "Named" })).toBe("# Named\n\ntext\n");
  expect(notebook([words("# Own")], { title: "Named" })).toBe("# Own\n");
});

test("worksheets of older notebooks are read", () => {
  const old = {
    nbformat: 3,
    worksheets: [
      {
        cells: [
          { cell_type: "heading", level: 2, source: "Part" },
          { cell_type: "code", language: "python", input: "a = 1", outputs: [] },
        ],
      },
    ],
  };
  expect(notebookToMarkdown(JSON.stringify(old))).toBe("## Part\n\n```python\na = 1\n```\n");
});

test("a file that is not a notebook is distinguished from an empty one", () => {
  expect(notebook([])).toBe("");
  for (const json of ["", "{", "null", "[]", '{"cells": 1}', "[".repeat(100_000)]) {
    expect(notebookToMarkdown(json)).toBeUndefined();
  }
});

test("malformed cells are skipped", () => {
  const odd = [null, 1, "x", {}, { cell_type: "code", source: { a: 1 }, outputs: [null, 7] }];
  expect(notebookToMarkdown(JSON.stringify({ cells: [...odd, words("kept")] }))).toBe("kept\n");
});

test("hostile cells are handled in linear time", () => {
  const started = cpuMs();
  const many = 300_000;
  const cells = [
    code("x", { output_type: "stream", text: `<${"a".repeat(many)}` }),
    code("x", { output_type: "error", ename: { toString: 1 }, evalue: null }),
    code("`".repeat(many), { output_type: "stream", text: "data:a;base64,".repeat(many / 10) }),
    ...[-1, 1e9, "x", null].map((level) => ({ cell_type: "heading", level, source: "H" })),
    words("\u001b[1;".repeat(many)),
    words(" ".repeat(many)),
  ];
  expect(notebookToMarkdown(JSON.stringify({ cells }))).toContain(
    "\n\n# H\n\n###### H\n\n# H\n\n# H\n",
  );
  expect(cpuMs() - started).toBeLessThan(5_000);
});
