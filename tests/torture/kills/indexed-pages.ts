import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HttpClient } from "../http-client.ts";
import type { CreateKillWorkload } from "./kill-workload.ts";

/** Writes, changes and deletes pages, and indexes them. Search results equal the files on disk. */
export const indexedPages: CreateKillWorkload = (home, random) => {
  const folder = join(home, "pages");
  const words = new Map<string, string>();
  let made = 0;

  const word = (): string => `w${Math.floor(random() * 1e9).toString(36)}`;

  const change = (): void => {
    for (let count = 0; count < 10; count++) {
      const known = [...words.keys()];
      const old = known[Math.floor(random() * known.length)];
      const name = old !== undefined && random() < 0.4 ? old : `page-${made++}.md`;
      if (name === old && random() < 0.5) {
        rmSync(join(folder, name));
        words.delete(name);
        continue;
      }
      const own = word();
      writeFileSync(
        join(folder, name),
        `# ${name}\n\nThis page says ${own}.\n\n## More\n\nharbour\n`,
      );
      words.set(name, own);
    }
  };

  return {
    async prepare(client) {
      mkdirSync(folder);
      for (let times = 0; times < 4; times++) change();
      await client.asPerson("POST", "/collections/add", { path: folder, name: "pages" });
    },
    async act(client) {
      change();
      await client.asPerson("POST", "/update");
    },
    async check(client) {
      await client.asPerson("POST", "/update");
      const wrongs: string[] = [];
      const all = await found(client, "harbour");
      if (all.length !== words.size || new Set(all).size !== words.size) {
        wrongs.push(`${all.length} pages are found in place of ${words.size}`);
      }
      const first = Math.floor(random() * words.size);
      for (const [name, own] of [...words].slice(first, first + 5)) {
        const files = await found(client, own);
        if (files.length !== 1 || !files[0]?.endsWith(name)) {
          wrongs.push(`'${own}' of ${name} is found in ${JSON.stringify(files)}`);
        }
      }
      return wrongs;
    },
  };
};

async function found(client: HttpClient, query: string): Promise<string[]> {
  const { results } = await client.asPerson<{ results: { file: string }[] }>("POST", "/search", {
    query: `"${query}"`,
    all: true,
  });
  return results.map(({ file }) => file);
}
