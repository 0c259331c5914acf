import { TitledDialog } from "../../components/window.tsx";
import { call } from "../../server/client.ts";
import { statusMessage } from "../coding-actions.ts";
import type { Category } from "../project-state.ts";
import { CategoryOptions } from "./category-options.tsx";
import { closeEditor } from "./codebook-state.ts";
import { DeleteSection } from "./deletion.tsx";
import { DetailsForm } from "./details-form.tsx";

/** Edits a category, or creates one. */
export function CategoryWindow({ category }: { category: Category | undefined }) {
  return (
    <TitledDialog
      title={category ? `Category ${category.name}` : "New category"}
      close={closeEditor}
      hasInput
    >
      <p class="outcome" role="status">
        {statusMessage.value}
      </p>
      <DetailsForm of={category} persist={(fieldValue) => saveCategory(category, fieldValue)}>
        <label>
          Move below category
          <select name="parent" defaultValue={String(category?.parent_id ?? "")}>
            <CategoryOptions chosen={category?.parent_id ?? null} moving={category?.id} />
          </select>
        </label>
      </DetailsForm>
      {category && (
        <DeleteSection
          name={category.name}
          run={(preview_token) =>
            call("delete_category", {
              name: category.name,
              ...(preview_token ? { preview_token } : { dry_run: true }),
            })
          }
        />
      )}
    </TitledDialog>
  );
}

/** Sends only the changed fields, since an agent may change the others meanwhile. */
async function saveCategory(
  category: Category | undefined,
  fieldValue: (field: string) => string,
): Promise<void> {
  const [name, memo, parent] = [fieldValue("name"), fieldValue("memo"), fieldValue("parent")];
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
