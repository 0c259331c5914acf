import { signal } from "@preact/signals";
import { call } from "../client.ts";
import { attempt, said } from "./applying.ts";
import type { Category, Code } from "./project.ts";

/** What is open for a change: a code, a category, or one that is to be made. */
type Edited =
  | { kind: "code"; id: number }
  | { kind: "category"; id: number }
  | { kind: "new category" };

export const editing = signal<Edited | undefined>(undefined);

export function edit(what: Edited): void {
  said.value = "";
  editing.value = what;
}

export const closeEditing = (): void => {
  editing.value = undefined;
};

/** Categories that are folded up. */
export const folded = signal<ReadonlySet<number>>(new Set());

export function fold(id: number): void {
  const next = new Set(folded.value);
  if (!next.delete(id)) next.add(id);
  folded.value = next;
}

/** What is dragged over the codebook. */
export const dragged = signal<Code | Category | undefined>(undefined);

/** Puts what is dragged into a category, or at the top. */
export async function drop(into: Category | undefined): Promise<void> {
  const moving = dragged.value;
  dragged.value = undefined;
  if (!moving) return;
  if ("segment_count" in moving) await moveCode(moving, into?.id ?? null);
  else if (moving.id !== into?.id) await moveCategory(moving, into?.id ?? null);
}

const moveCode = ({ id, name }: Code, category_id: number | null): Promise<boolean> =>
  attempt(async () => {
    await call("update_code", { code_id: id, category_id });
    return `Moved ${name}.`;
  });

const moveCategory = ({ name }: Category, parent_id: number | null): Promise<boolean> =>
  attempt(async () => {
    await call("save_category", { name, parent_id });
    return `Moved ${name}.`;
  });
