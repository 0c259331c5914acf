import { signal } from "@preact/signals";
import { call } from "../../server/client.ts";
import { runAndReport, statusMessage } from "../coding-actions.ts";
import type { Category, Code } from "../project-state.ts";

/** The open editor: of a code, a category or a new category. */
type EditedItem =
  | { kind: "code"; id: number }
  | { kind: "category"; id: number }
  | { kind: "new category" };

export const editedItem = signal<EditedItem | undefined>(undefined);

export function openEditor(item: EditedItem): void {
  statusMessage.value = "";
  editedItem.value = item;
}

export const closeEditor = (): void => {
  editedItem.value = undefined;
};

/** The collapsed categories. */
export const folded = signal<ReadonlySet<number>>(new Set());

export function toggleFolded(id: number): void {
  const next = new Set(folded.value);
  if (!next.delete(id)) next.add(id);
  folded.value = next;
}

/** The item being dragged in the codebook. */
export const dragged = signal<Code | Category | undefined>(undefined);

/** Moves the dragged item into a category, or to the top level. */
export async function dropInto(target: Category | undefined): Promise<void> {
  const item = dragged.value;
  dragged.value = undefined;
  if (!item) return;
  if ("segment_count" in item) await moveCode(item, target?.id ?? null);
  else if (item.id !== target?.id) await moveCategory(item, target?.id ?? null);
}

const moveCode = ({ id, name }: Code, category_id: number | null): Promise<boolean> =>
  runAndReport(async () => {
    await call("update_code", { code_id: id, category_id });
    return `Moved ${name}.`;
  });

const moveCategory = ({ name }: Category, parent_id: number | null): Promise<boolean> =>
  runAndReport(async () => {
    await call("save_category", { name, parent_id });
    return `Moved ${name}.`;
  });
