import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { type ConfigFile, openConfigFile } from "../../kernel/home/config.ts";
import { homeFiles, type Settings } from "../../kernel/home/settings.ts";
import { containsPath } from "../../kernel/paths/contains-path.ts";
import type { ResultOptions } from "./arguments/result-flags.ts";
import { shellQuote } from "./arguments/shell-words.ts";
import type { CommandContext } from "./command.ts";
import { runOperation } from "./operation-command.ts";

/** What became of the offer to index the folder. */
interface CollectionOffer {
  /** The collection that the folder is in. */
  collection?: string;
  /** What to tell a person. */
  message?: string;
}

/**
 * Indexes the folder if the user agrees, by `--yes` or by answering on a terminal. Otherwise returns
 * the command that does it.
 */
export async function offerCollection(
  { yes, dryRun }: { yes: boolean; dryRun: boolean },
  context: CommandContext,
): Promise<CollectionOffer> {
  const { settings, cwd, globals, program, confirm } = context;
  const folder = realpathSync.native(cwd);
  const collections = readCollections(settings);
  const [known] =
    Object.entries(collections).find(([, { path }]) => containsPath(path, folder)) ?? [];
  if (known !== undefined) {
    return { collection: known, message: `This folder is in the index, in collection '${known}'.` };
  }
  const name = freeName(basename(folder), Object.keys(collections));
  const command = `${program} collection add ${shellQuote(folder)} --name ${shellQuote(name)}`;
  const isAgreed =
    !dryRun &&
    (yes ||
      (!globals.json &&
        (await confirm?.(`Index the Markdown files of this folder as '${name}'?`))));
  if (!isAgreed) return { message: `To index this folder: ${command}` };
  await addCollection(context, folder, name);
  return { collection: name };
}

/** With `--json`, the output is that of `init` alone. */
async function addCollection(context: CommandContext, path: string, name: string): Promise<void> {
  const { settings, globals, env, out, err, program, openApp } = context;
  const app = openApp({ ...settings, shelves: undefined, readOnly: false });
  const entry = app.catalogue.find("add_collection");
  if (!entry) throw new Error("There is no operation that adds a collection.");
  await runOperation(entry.operation, (options) => app.call(entry, { path, name }, options), {
    resultOptions: textResult,
    logLevel: settings.logLevel,
    env,
    out: globals.json ? err : out,
    err,
    program,
    readCollectionFolders: async () => new Map(),
  });
}

const textResult: ResultOptions = {
  format: "text",
  server: undefined,
  fullPath: false,
  isNullTerminated: false,
  open: false,
};

/** Only read here, so no lock is needed. */
const readCollections = (settings: Settings): ReturnType<ConfigFile["read"]>["collections"] =>
  openConfigFile(homeFiles(settings).config).read().collections;

function freeName(folderName: string, taken: readonly string[]): string {
  const name =
    folderName
      .replace(/[/\\\p{C}]/gu, "")
      .replace(/^[.\s]+|\s+$/g, "")
      .slice(0, 80) || "notes";
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name}-${count}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
