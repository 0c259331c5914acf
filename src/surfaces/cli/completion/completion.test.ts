import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runCli } from "../../../../tests/fixtures/library/cli-library.ts";

const script = async (shell: string, program: "lectern" | "qmd" = "lectern") =>
  (await runCli(["completion", shell], { program })).out;

/** Bash's completions for a line with an incomplete last word. */
async function offers(...words: string[]): Promise<string[]> {
  const ask = `COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _lectern; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = spawnSync(
    "bash",
    ["--norc", "-c", `set -u; ${await script("bash")}\n${ask}`, "bash", "lectern", ...words],
    { encoding: "utf8" },
  );
  expect(bash.stderr).toBe("");
  expect(bash.status).toBe(0);
  return bash.stdout.split("\n").filter(Boolean);
}

const hasShell = (name: string): boolean => spawnSync(name, ["--version"]).error === undefined;

test("[core.cli.completion] bash completes commands word by word", async () => {
  expect(await offers("b")).toEqual(["book"]);
  expect(await offers("book", "")).toEqual(["add", "move"]);
  expect(await offers("--json", "--root", "book", "bo")).toEqual(["book"]);
  expect(await offers("")).toContain("find");
  expect(await offers("")).toContain("doctor");
});

test("[core.cli.completion] bash completes the command's flags and the global ones", async () => {
  expect(await offers("find", "a", "--lim")).toEqual(["--limit"]);
  expect(await offers("find", "--no-")).toEqual(["--no-rerank", "--no-color"]);
  expect(await offers("book", "add", "--j")).toEqual(["--json"]);
  expect(await offers("book", "add", "--lim")).toEqual([]);
  expect(await offers("find", "--", "--lim")).toEqual([]);
});

test("[core.cli.completion] bash completes values that the schema lists", async () => {
  expect(await offers("find", "a", "--format", "")).toEqual(["text", "csv"]);
  expect(await offers("find", "a", "--format", "=", "c")).toEqual(["csv"]);
  expect(await offers("find", "a", "--format", "=")).toEqual(["text", "csv"]);
  expect(await offers("--log-level", "w")).toEqual(["warn", "warning"]);
  expect(await offers("completion", "")).toEqual(["bash", "zsh", "fish"]);
  // Free-form values are completed by bash, with file names.
  expect(await offers("find", "a", "-n", "f")).toEqual([]);
});

test("[core.cli.completion] a script offers only what is available under the program's name", async () => {
  const qmd = await script("bash", "qmd");
  expect(qmd).toMatch("complete -o bashdefault -o default -F _qmd qmd");
  expect(qmd).toMatch("Find books");
  expect(qmd).not.toMatch("All things");
});

test.each(["bash", "zsh", "fish"])(
  "[core.cli.completion] %s reads its script, where it is installed, and it knows all flags",
  async (shell) => {
    const text = await script(shell);
    if (hasShell(shell)) {
      const { status, stderr } = spawnSync(shell, ["-n"], { input: text, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(status).toBe(0);
    }
    for (const flag of ["min-score", "no-rerank", "mask", "dry-run", "force-root"]) {
      expect(text).toMatch(flag);
    }
    const opened = text.match(/^\s*(case .* in|switch .*|if .*|for .*|while .*|function .*)$/gm);
    expect(opened?.length).toBeGreaterThan(3);
    expect(text.split("'").length % 2, "quotes come in pairs").toBe(1);
  },
);

test("[core.cli.completion] the table is plain POSIX shell, shared by bash and zsh", async () => {
  const zsh = await script("zsh");
  const table = zsh.slice(zsh.indexOf("_lectern_is_known"), zsh.indexOf("_lectern_offer()"));
  const ask = "_lectern_values find --format; _lectern_is_known 'book add' && echo known";
  const { stdout, stderr } = spawnSync("sh", ["-c", `${table}\n${ask}`], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toBe("text\ncsv\nknown\n");
});
