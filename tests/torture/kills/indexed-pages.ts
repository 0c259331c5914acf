import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HttpClient } from "../http-client.ts";
import type { CreateKillWorkload } from "./kill-workload.ts";

/** Writes, changes and deletes pages, and indexes them. Search results equal the files on disk. */
export const indexedPages: CreateKillWorkload = (home, random) => {
  const folder = join(home, "pages");
  const words = new Map<string, string>();
  let counter = 0;

  const word = (): string => `w${Math.floor(random() * 1e9).toString(36)}`;

  const change = (): void => {
    for (let count = 0; count < 10; count++) {
      const known = [...words.keys()];
      const old = known[Math.floor(random() * known.length)];
      const name = old !== undefined && random() < 0.4 ? old : `page-${counter++}.md`;
      if (name === old && random() < 0.5) {
        rmSync(join(folder, name));
        words.delete(name);
        continue;
      }
      const ownWord = word();
      writeFileSync(
        join(folder, name),
        `# ${name}\n\nThis page says ${ownWord}.\n\n## More\n\nharbour\n`,
      );
      words.set(name, ownWord);
    }
  };

  return {
    async prepare(client) {
      mkdirSync(folder);
      for (let times = 0; times < 4; times++) change();
      await client.callAsPerson("POST", "/collections/add", { path: folder, name: "pages" });
    },
    async step(client) {
      change();
      await client.callAsPerson("POST", "/update");
    },
    async check(client) {
      await client.callAsPerson("POST", "/update");
      const losses: string[] = [];
      const all = await filesWith(client, "harbour");
      if (all.length !== words.size || new Set(all).size !== words.size) {
        losses.push(`${all.length} pages are found in place of ${words.size}`);
      }
      const first = Math.floor(random() * words.size);
      for (const [name, ownWord] of [...words].slice(first, first + 5)) {
        const files = await filesWith(client, ownWord);
        if (files.length !== 1 || !files[0]?.endsWith(name)) {
          losses.push(`'${ownWord}' of ${name} is found in ${JSON.stringify(files)}`);
        }
      }
      return losses;
    },
  };
};

async function filesWith(client: HttpClient, query: string): Promise<string[]> {
  const { results } = await client.callAsPerson<{ results: { file: string }[] }>(
    "POST",
    "/search",
    {
      query: `"${query}"`,
      all: true,
    },
  );
  return results.map(({ file }) => file);
}
