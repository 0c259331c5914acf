import { execFileSync } from "node:child_process";

/**
 * The seed of every randomised test: taken from the commit, so that a failure is reproduced by running
 * the same commit, while new commits try new inputs. `LECTERN_SEED` overrides it.
 */
export function readSeed(): number {
  process.env.LECTERN_SEED ??= String(seedOfCommit());
  return Number(process.env.LECTERN_SEED);
}

function seedOfCommit(): number {
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    // A source archive has no commits.
    return 1;
  }
}
