import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { apiHistory, type HistoryStep } from "../../../tests/fixtures/api-history.ts";
import { repositoryLibrary } from "../../../tests/fixtures/repository-library.ts";

const commits = 200;

test("[repository.drift.history] over 200 commits every change that breaks a documented symbol is found, and no other", async () => {
  const steps = apiHistory(7, commits);
  const { root, data, output } = repositoryLibrary();
  const git = (...words: string[]) => execFileSync("git", ["-C", root, ...words], quiet);
  git("init", "--quiet", "--initial-branch=main");
  execFileSync("git", ["-C", root, "fast-import", "--quiet"], { ...quiet, input: streamOf(steps) });
  const found = { removed: 0, renamed: 0, signature: 0, quiet: 0 };

  for (const [at, { broken, accepted }] of steps.entries()) {
    git("checkout", "--quiet", "--force", "--detach", `main~${commits - 1 - at}`);
    const { driftDetections } = await data("sync_code_to_docs", { projectPath: "." });
    const told: Told[] = driftDetections.flatMap(({ drifts }: { drifts: Told[] }) => drifts);

    const names = new Set(told.map(({ symbol }) => symbol));
    const missed = broken.filter((faults) => !faults.some(({ name }) => names.has(name)));
    // What somebody has looked after is told until it is accepted, or quoted anew on its page.
    const isMeant = ({ symbol, change }: Told) =>
      accepted.includes(symbol) ||
      broken.flat().some((fault) => fault.name === symbol && fits(fault.change, change));
    const wrong = told.filter((one) => !isMeant(one));
    expect({ at, missed, wrong }).toEqual({ at, missed: [], wrong: [] });
    for (const { change } of told) found[change]++;
    if (told.length === 0) found.quiet++;
    const drifted = [...new Set(accepted)].filter((name) => names.has(name));
    if (drifted.length > 0) {
      await output("accept_documentation_drift", { projectPath: ".", symbols: drifted });
    }
  }
  // The history has enough of everything to prove something.
  expect(found.removed).toBeGreaterThan(20);
  expect(found.renamed).toBeGreaterThan(20);
  expect(found.signature).toBeGreaterThan(20);
  expect(found.quiet).toBeGreaterThan(5);
}, 120_000);

interface Told {
  symbol: string;
  change: "removed" | "renamed" | "signature";
}

/** One that got a new name and another form at once has no likeness left: it is gone. */
const fits = (meant: Told["change"], told: Told["change"]): boolean =>
  meant === told || (meant === "renamed" && told === "removed");

const quiet = { stdio: ["pipe", "ignore", "ignore"] as ["pipe", "ignore", "ignore"] };

/** The whole history as git takes it in at once. */
function streamOf(steps: readonly HistoryStep[]): string {
  const said = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return steps
    .map(({ files }, at) => {
      const head = `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + at * 3_600} +0000\n`;
      const changes = Object.entries(files).map(
        ([path, text]) => `M 644 inline ${path}\n${said(text)}`,
      );
      return `${head}${said(`Commit ${at}`)}deleteall\n${changes.join("")}\n`;
    })
    .join("");
}
