import { call } from "../client.ts";
import { Window } from "../window.tsx";
import { said } from "./applying.ts";
import { CategoryChoices } from "./category-choices.tsx";
import { closeEditing } from "./codebook-state.ts";
import { Deleting } from "./deleting.tsx";
import { Details } from "./details.tsx";
import type { Category } from "./project.ts";

/** A category that is changed, or a new one. */
export function CategoryWindow({ category }: { category: Category | undefined }) {
  return (
    <Window
      title={category ? `Category ${category.name}` : "New category"}
      close={closeEditing}
      holdsWords
    >
      <p class="outcome" role="status">
        {said.value}
      </p>
      <Details of={category} keep={(given) => keep(category, given)}>
        <label>
          Move below category
          <select name="parent" defaultValue={String(category?.parent_id ?? "")}>
            <CategoryChoices chosen={category?.parent_id ?? null} moving={category?.id} />
          </select>
        </label>
      </Details>
      {category && (
        <Deleting
          name={category.name}
          run={(preview_token) =>
            call("delete_category", {
              name: category.name,
              ...(preview_token ? { preview_token } : { dry_run: true }),
            })
          }
        />
      )}
    </Window>
  );
}

/** Only what somebody has changed is sent, since an agent may change the rest meanwhile. */
async function keep(
  category: Category | undefined,
  given: (field: string) => string,
): Promise<void> {
  const [name, memo, parent] = [given("name"), given("memo"), given("parent")];
  if (!category) await call("create_category", { name, memo, parent_id: parent || null });
  else {
    await call("save_category", {
      name: category.name,
      ...(name !== category.name && { new_name: name }),
      ...(memo !== (category.memo ?? "") && { memo }),
      ...(parent !== String(category.parent_id ?? "") && { parent_id: parent || null }),
    });
  }
}
