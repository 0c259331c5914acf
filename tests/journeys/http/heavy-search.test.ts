import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { childrenOf } from "../../programs/process.ts";
import { freshHome, runProgram, startServer } from "../program.ts";

test("[search.heavy.same] a search that a server runs in another process returns the same as a command", async () => {
  const home = freshHome();
  const folder = join(home, "notes");
  mkdirSync(folder);
  for (let number = 0; number < 300; number++) {
    const text = "storm ".repeat(number % 7);
    writeFileSync(join(folder, `${number}.md`), `# Note ${number}\n\nThe lamp of ${text}night.\n`);
  }
  await runProgram(["collection", "add", folder, "--name", "notes"], { home });
  const server = await startServer(home);
  onTestFinished(async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const runSearch = async (limit: number): Promise<unknown> => {
    const response = await fetch(`${server.url}/search`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "lamp storm", limit }),
    });
    const { results } = (await response.json()) as { results: { file: string; score: number }[] };
    return results.map(({ file, score }) => [file, score]);
  };
  const jsonOutput = async (limit: number): Promise<unknown> => {
    const text = ["search", "lamp storm", "-n", String(limit), "--json"];
    const { stdout } = await runProgram(text, { home });
    const results = JSON.parse(stdout) as { file: string; score: number }[];
    return results.map(({ file, score }) => [file, score]);
  };
  const pid = Number(server.child.pid);

  expect(await runSearch(50)).toEqual(await jsonOutput(50));
  const before = childrenOf(pid).length;
  expect(await runSearch(1_000)).toEqual(await jsonOutput(1_000));
  if (process.platform === "linux") expect(childrenOf(pid).length).toBe(before + 1);
});
