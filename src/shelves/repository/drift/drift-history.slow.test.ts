import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { apiHistory, type HistoryStep } from "../../../../tests/fixtures/repository/api-history.ts";
import { repositoryLibrary } from "../../../../tests/fixtures/repository/repository-library.ts";

const commits = 200;

test("[repository.drift.history] over 200 commits, exactly the changes that break a documented symbol are found", async () => {
  const steps = apiHistory(7, commits);
  const { root, data, output } = repositoryLibrary();
  const git = (...words: string[]) => execFileSync("git", ["-C", root, ...words], quiet);
  git("init", "--quiet", "--initial-branch=main");
  execFileSync("git", ["-C", root, "fast-import", "--quiet"], { ...quiet, input: streamOf(steps) });
  const found = { removed: 0, renamed: 0, signature: 0, quiet: 0 };

  for (const [at, { broken, accepted }] of steps.entries()) {
    git("checkout", "--quiet", "--force", "--detach", `main~${commits - 1 - at}`);
    const { driftDetections } = await data("sync_code_to_docs", { projectPath: "." });
    const result: Detected[] = driftDetections.flatMap(
      ({ drifts }: { drifts: Detected[] }) => drifts,
    );

    const names = new Set(result.map(({ symbol }) => symbol));
    const missed = broken.filter((faults) => !faults.some(({ name }) => names.has(name)));
    // A change stays reported until it is accepted, or its page is updated.
    const isMeant = ({ symbol, change }: Detected) =>
      accepted.includes(symbol) ||
      broken.flat().some((fault) => fault.name === symbol && fits(fault.change, change));
    const wrong = result.filter((one) => !isMeant(one));
    expect({ at, missed, wrong }).toEqual({ at, missed: [], wrong: [] });
    for (const { change } of result) found[change]++;
    if (result.length === 0) found.quiet++;
    const drifted = [...new Set(accepted)].filter((name) => names.has(name));
    if (drifted.length > 0) {
      await output("accept_documentation_drift", { projectPath: ".", symbols: drifted });
    }
  }
  // The history contains enough changes of every kind.
  expect(found.removed).toBeGreaterThan(20);
  expect(found.renamed).toBeGreaterThan(20);
  expect(found.signature).toBeGreaterThan(20);
  expect(found.quiet).toBeGreaterThan(5);
});

interface Detected {
  symbol: string;
  change: "removed" | "renamed" | "signature";
}

/** A symbol that was renamed and changed in one step counts as removed. */
const fits = (meant: Detected["change"], result: Detected["change"]): boolean =>
  meant === result || (meant === "renamed" && result === "removed");

const quiet = { stdio: ["pipe", "ignore", "ignore"] as ["pipe", "ignore", "ignore"] };

/** The whole history as one git fast-import stream. */
function streamOf(steps: readonly HistoryStep[]): string {
  const dataBlock = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return steps
    .map(({ files }, at) => {
      const head = `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + at * 3_600} +0000\n`;
      const changes = Object.entries(files).map(
        ([path, text]) => `M 644 inline ${path}\n${dataBlock(text)}`,
      );
      return `${head}${dataBlock(`Commit ${at}`)}deleteall\n${changes.join("")}\n`;
    })
    .join("");
}
