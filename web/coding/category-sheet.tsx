import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { call } from "../client.ts";
import { attempt, longestName, said } from "./applying.ts";
import { CategoryChoices } from "./category-choices.tsx";
import { closeEditing, editing } from "./codebook-state.ts";
import { type Category, categories, codes } from "./project.ts";
import { Sheet } from "./sheet.tsx";

/** A category that is changed, or a new one. */
export function CategorySheet() {
  const open = editing.value;
  const category =
    open?.kind === "category" ? categories.value.find(({ id }) => id === open.id) : undefined;
  if (open?.kind === "category" && !category) return null;
  return (
    <Sheet title={category ? `Category ${category.name}` : "New category"} close={closeEditing}>
      <p class="outcome" role="status">
        {said.value}
      </p>
      <Details category={category} />
      {category && <Deleting category={category} />}
    </Sheet>
  );
}

function Details({ category }: { category: Category | undefined }) {
  const form = useRef<HTMLFormElement>(null);
  const save = async (): Promise<void> => {
    if (!form.current) return;
    const given = new FormData(form.current);
    const [name, memo, parent] = ["name", "memo", "parent"].map((key) =>
      String(given.get(key) ?? ""),
    );
    const isDone = await attempt(async () => {
      const place = { memo: memo ?? "", parent_id: parent || null };
      if (!category) await call("create_category", { name: name ?? "", ...place });
      else {
        const renamed = name !== category.name && { new_name: name };
        await call("save_category", { name: category.name, ...place, ...renamed });
      }
      return `Kept ${name}.`;
    });
    if (isDone) closeEditing();
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        Name
        <input
          type="text"
          name="name"
          required
          maxLength={longestName}
          defaultValue={category?.name ?? ""}
        />
      </label>
      <label>
        Memo
        <textarea name="memo" rows={3} defaultValue={category?.memo ?? ""} />
      </label>
      <label>
        Move below category
        <select name="parent" defaultValue={String(category?.parent_id ?? "")}>
          <CategoryChoices chosen={category?.parent_id ?? null} moving={category?.id} />
        </select>
      </label>
      <p class="acts">
        <button type="submit" class="yes">
          {category ? "Save" : "Make it"}
        </button>
      </p>
    </form>
  );
}

/** What stands in it is told first. */
function Deleting({ category: { id, name } }: { category: Category }) {
  const isSure = useSignal(false);
  const inside = [
    ...categories.value.filter(({ parent_id }) => parent_id === id),
    ...codes.value.filter(({ category_id }) => category_id === id),
  ];
  const names = inside.map((one) => one.name).join(", ");
  return (
    <details class="task">
      <summary>Delete</summary>
      <p>
        {inside.length === 0
          ? `${name} is empty.`
          : `These stay and stand at the top again: ${names}.`}
      </p>
      <p class="acts">
        <button
          type="button"
          class="no"
          disabled={isSure.value}
          onClick={async () => {
            isSure.value = true;
            const isDone = await attempt(async () => {
              await call("delete_category", { name });
              return `Deleted ${name}.`;
            });
            isSure.value = false;
            if (isDone) closeEditing();
          }}
        >
          Delete {name}
        </button>
      </p>
    </details>
  );
}
