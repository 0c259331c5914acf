import { type DocumentationPage, readDocumentation } from "../pages/documentation.ts";
import { subtask, type TaskContext } from "../progress.ts";
import { type FileInventory, takeFileInventory } from "../repo/file-inventory.ts";
import type { RepositoryState } from "../state.ts";
import { type SymbolScan, scanSymbols } from "../symbols/symbol-scan.ts";
import type { DocsScope } from "./baselines.ts";

/** The public symbols of a repository and its pages. */
export interface CodeAndDocs {
  inventory: FileInventory;
  pages: Map<string, DocumentationPage>;
  codeScan: SymbolScan;
  /** Where a timeout or limit stopped the scan. */
  stopped_at?: string;
}

export async function readCodeAndDocs(
  state: RepositoryState,
  { root, pages: folder }: DocsScope,
  call: TaskContext,
): Promise<CodeAndDocs> {
  const inventory = await takeFileInventory(root, state.boundary, call);
  const parts = { parts: 3, size: inventory.files.length };
  const reading = subtask(call, { part: 1, ...parts });
  const { pages, ...read } = await readDocumentation(state, inventory, folder, reading);
  const codeScan = await scanSymbols(state, inventory, subtask(call, { part: 2, ...parts }));
  const stopped_at = inventory.stoppedAt ?? read.stopped_at ?? codeScan.stopped_at;
  return { inventory, pages, codeScan, ...(stopped_at !== undefined && { stopped_at }) };
}
