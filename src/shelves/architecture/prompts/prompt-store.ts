import { invalid } from "../../../kernel/failure.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { openFileCache } from "../file-cache.ts";
import { builtInPrompts } from "./built-in-prompts.ts";
import { type PromptTemplate, parsePromptFile } from "./prompt-file.ts";

/** The current prompts. */
export interface PromptStore {
  /** Sorted by name. Returns the same list if nothing changed. */
  read(): Promise<readonly PromptTemplate[]>;
  close(): void;
}

const promptsFolder = "mcp/prompts";

/**
 * The built-in prompts and those of `mcp/prompts/*.json`, which replace built-in ones of the same
 * name. If an edited file becomes invalid, its last valid version is used.
 */
export function openPromptStore(
  { boundary, log }: Pick<Runtime, "boundary" | "log">,
  root: string,
  tools: readonly string[],
): PromptStore {
  const files = openFileCache<PromptTemplate>({
    root,
    boundary,
    baseFolder: promptsFolder,
    folders: [promptsFolder],
    isRecursive: false,
    isRelevant: (name) => /\.json$/i.test(name),
    parse({ path, bytes }, before) {
      try {
        const text = decodeText(bytes);
        if (text === undefined) throw invalid("The file is not text.");
        return parsePromptFile(text, tools);
      } catch (error) {
        if (!before) throw error;
        log("warn", "invalid prompt; using the last valid version", {
          file: path,
          cause: error,
        });
        return before;
      }
    },
    onUnusable: (file, reason) => log("warn", "invalid prompt; it is skipped", { file, reason }),
  });
  let cached: { files: unknown; prompts: readonly PromptTemplate[] } | undefined;
  return {
    async read() {
      const parsed = await files.read();
      if (cached?.files === parsed) return cached.prompts;
      const byName = new Map([...builtInPrompts, ...parsed.values()].map((one) => [one.name, one]));
      const prompts = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      cached = { files: parsed, prompts };
      return prompts;
    },
    close: () => files.close(),
  };
}
