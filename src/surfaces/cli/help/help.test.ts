import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import * as z from "zod";
import { runCli } from "../../../../tests/fixtures/library/cli-library.ts";
import { flagOf } from "../arguments/flag.ts";
import { programCommand } from "../command.ts";
import { describeFlag } from "./help.ts";
import { escapeRoff } from "./man-page.ts";

test("[core.cli.start] without arguments the program prints one screen: the first commands, and the names of all", async () => {
  const { code, out, err } = await runCli([]);

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^First commands\n {2}init +Add Lectern/m);
  expect(out).toMatch(/^ {2}doctor +Check this installation/m);
  expect(out).toMatch(/^ {2}search +find, book, echo, fail, wait, ask$/m);
  expect(out).toMatch("'lectern help' describes all commands");
  expect(out.split("\n").length).toBeLessThanOrEqual(40);
});

test("[core.cli.help] help is grouped, and has each command with its first sentence", async () => {
  const { code, out, err } = await runCli(["help"]);

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Search\n {2}find <words\.\.\.> +Find books by words\n/m);
  expect(out).toMatch(/^Objects\n {2}thing list +All things\n/m);
  expect(out.replace(/\s+/g, " ")).toContain(
    "book move [from] <to> Carry a book from one place to another, and tell how far it was in steps, rounded up to the next ten",
  );
  expect(out).toMatch("--read-only");
  for (const argv of [["--help"], ["-h"]]) expect((await runCli(argv)).out).toBe(out);
});

test("[core.cli.help] a command with a long name has its own line, and none is cut", async () => {
  const commands = [
    programCommand({
      cli: "a command of seven quite long words <place>",
      summary: "Does what the words say. Twice.",
      group: "maintenance",
      input: z.object({ place: z.string().describe("Where") }),
      run: () => 0,
    }),
  ];
  const { out } = await runCli(["help"], { commands });
  expect(out).toMatch(
    /^ {2}a command of seven quite long words <place>\n {20,}Does what the words say\n/m,
  );
  expect(out).not.toContain("…");
});

test("[core.cli.help] aliases of a command are shown in the list and on its page", async () => {
  const commands = [
    programCommand({
      cli: "drop|rm all",
      summary: "Let go.",
      group: "maintenance",
      input: z.object({}),
      run: () => 0,
    }),
  ];
  expect((await runCli(["help"], { commands })).out).toMatch(
    /^ {2}drop all +Let go \(also 'rm all'\)$/m,
  );
  const { out } = await runCli(["drop", "all", "--help"], { commands });
  expect(out).toMatch("Aliases: lectern rm all");
  const { out: table } = await runCli(["completion", "bash"], { commands });
  expect(table).toMatch(/'rm\tcommands of rm'/);
});

test("[core.cli.help] a command's page shows arguments, flags, defaults and an example", async () => {
  const { out } = await runCli(["find", "--help"]);

  expect(out).toMatch("Usage: lectern find <words...> [flags]");
  expect(out).toMatch(/<words\.\.\.> +Words to look for/);
  expect(out).toMatch(/-n, --limit <n> +Most results \(default 10, 1 to 100\)/);
  expect(out).toMatch(/--min-score <number> +Least score \(default 0, 0 to 1\)/);
  expect(out).toMatch(/--collections <text> +Only these \(repeatable\)/);
  expect(out).toMatch(/--format <text\|csv> +How it reads/);
  expect(out).toMatch(/--\[no-\]rerank +Sort twice \(default on\)/);
  expect(out).toMatch("lectern find 'blue whale' --limit 2");
  expect((await runCli(["help", "find"])).out).toBe(out);
  expect((await runCli(["help", "book", "add"])).out).toMatch("default: untitled");
});

test("[core.cli.help] if the command line has its own default, it is shown", () => {
  const choice = z.enum(["all", "some"]).default("some").describe("How much");
  const shell = { default: () => "all", label: "all" };

  expect(describeFlag(flagOf("much", choice))).toBe('How much (default "some")');
  expect(describeFlag(flagOf("much", choice.meta({ shell })))).toBe("How much (default: all)");
});

test("[core.cli.help] no line of any page is wider than 100 columns, or than the terminal", async () => {
  const topics = [
    [],
    ["find"],
    ["book"],
    ["book", "move"],
    ["doctor"],
    ["exit-codes"],
    ["environment"],
  ];
  for (const [columns, most] of [
    [500, 100],
    [100, 100],
    [72, 72],
  ] as const) {
    for (const topic of topics) {
      const { out } = await runCli(["help", ...topic], {
        terminal: true,
        columns,
        env: { NO_COLOR: "1" },
      });
      const widest = Math.max(...out.split("\n").map((line) => [...line].length));
      expect(widest, topic.join(" ")).toBeLessThanOrEqual(most);
    }
  }
});

test("help for an unknown command suggests the closest", async () => {
  const { code, err } = await runCli(["help", "fnd"]);
  expect(code).toBe(2);
  expect(err).toMatch("Did you mean 'find'?");
});

test("[core.cli.man] the manual page lists every command, flag and exit code", async () => {
  const { code, out } = await runCli(["man"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^\.TH LECTERN 1 /);
  for (const section of [
    "NAME",
    "SYNOPSIS",
    "COMMANDS",
    "EXIT STATUS",
    "ENVIRONMENT",
    "EXAMPLES",
  ]) {
    expect(out).toMatch(`\n.SH ${section}\n`);
  }
  expect(out).toMatch("\\-\\-min\\-score <number>");
});

test("[core.cli.man] groff formats the page without a warning, if installed", async () => {
  const { out } = await runCli(["man"]);
  const set = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-P-c"], {
    input: out,
    encoding: "utf8",
  });
  if (set.error) return expect(out.split("\n").filter((line) => line.startsWith("'"))).toEqual([]);
  expect(set.stderr).toBe("");
  // Bold is a letter, a backspace and the letter again.
  const plain = set.stdout.split(/.(?=[\b])[\b]/).join("");
  expect(plain).toMatch("lectern find <words...>");
  expect(plain).toMatch("--min-score <number>");
  expect(plain).toMatch(/130 +Interrupted by Ctrl\+C/);
});

test("roff prints hostile text literally", () => {
  expect(escapeRoff(".so /etc/passwd")).toBe("\\&.so /etc/passwd");
  expect(escapeRoff("a\\fB-b\n.c")).toBe("a\\efB\\-b .c");
  expect(escapeRoff("é…")).toBe("\\[u00E9]\\[u2026]");
});
