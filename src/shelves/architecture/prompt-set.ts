import { invalid } from "../../kernel/failure.ts";
import type { House } from "../../kernel/house.ts";
import { decode } from "../../text/decoding.ts";
import { builtInPrompts } from "./built-in-prompts.ts";
import { openKeptFiles } from "./kept-files.ts";
import { type PromptTemplate, readPromptFile } from "./prompt-file.ts";

/** The prompts as their files are now. */
export interface Prompts {
  /** By name, in the order of names. The same list as before where nothing changed. */
  now(): Promise<readonly PromptTemplate[]>;
  close(): void;
}

const folder = "mcp/prompts";

/**
 * Ours, and those of `mcp/prompts/*.json`, of which one takes the place of ours by its name. While
 * somebody is in the midst of an edit, the last prompt that could be read stays.
 */
export function openPrompts(
  { boundary, log }: House,
  root: string,
  tools: readonly string[],
): Prompts {
  const files = openKeptFiles<PromptTemplate>({
    root,
    boundary,
    within: folder,
    folders: [folder],
    deep: false,
    concerns: (name) => /\.json$/i.test(name),
    read({ path, bytes }, before) {
      try {
        const text = decode(bytes);
        if (text === undefined) throw invalid("it is no text");
        return readPromptFile(text, tools);
      } catch (error) {
        if (!before) throw error;
        log("warn", "a prompt cannot be read: the last good one stays", {
          file: path,
          cause: error,
        });
        return before;
      }
    },
    onUnusable: (file, reason) => log("warn", "a prompt cannot be read", { file, reason }),
  });
  let known: { files: unknown; prompts: readonly PromptTemplate[] } | undefined;
  return {
    async now() {
      const read = await files.now();
      if (known?.files === read) return known.prompts;
      const byName = new Map([...builtInPrompts, ...read.values()].map((one) => [one.name, one]));
      const prompts = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      known = { files: read, prompts };
      return prompts;
    },
    close: () => files.close(),
  };
}
