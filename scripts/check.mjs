/**
 * `npm test`: builds, runs the static checks and the quick tests. `--all` runs every test, `--rest`
 * only those that `npm test` skips. Other arguments are passed to the test runner.
 */
import { spawn } from "node:child_process";

const { quick, rest } = {
  quick: ["unit", "contract", "smoke"],
  rest: ["program", "browser", "postgres", "slow"],
};

const flags = process.argv.slice(2);
const isRest = flags.includes("--rest");
const projects = flags.includes("--all") ? [...quick, ...rest] : isRest ? rest : quick;
const forwarded = flags.filter((flag) => flag !== "--all" && flag !== "--rest");

/** The native compiler, twice as fast; `typescript` itself serves tools that need its API. */
const tsc = "node_modules/typescript-native/bin/tsc";

const checks = [
  ["types", "node", tsc],
  ["types of the web app", "node", tsc, "-p", "web"],
  ["lint", "biome", "check", "."],
  ["unused code", "knip"],
  ["reference", "node", "scripts/run.mjs", "scripts/reference.ts", "--check"],
];

const running = new Set();
await step("build", "node", "scripts/build.mjs");
if (projects === quick) {
  process.stdout.write(`Skipped: ${rest.join(", ")} (npm run test:all runs them).\n`);
}
const selected = projects.flatMap((project) => ["--project", project]);
const tests = step("tests", "vitest", "run", ...selected, ...forwarded);
// Tests often wait for programs and timers; the checks use the time that they leave.
if (!isRest) for (const check of checks) await step(...check);
await tests;

/** Runs one command. The tests print as they run; everything else prints only when it fails. */
async function step(title, command, ...args) {
  const start = performance.now();
  const isShown = title === "tests";
  const child = spawn(command, args, { stdio: ["inherit", ...outputOf(isShown)], shell: false });
  running.add(child);
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data) => output.push(data));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  running.delete(child);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${title}: ${code === 0 ? "passed" : "FAILED"} (${seconds} s)\n`);
  if (code !== 0) {
    process.stdout.write(Buffer.concat(output));
    for (const other of running) other.kill();
    process.exit(1);
  }
}

function outputOf(isShown) {
  return isShown ? ["inherit", "inherit"] : ["pipe", "pipe"];
}
