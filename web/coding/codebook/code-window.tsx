import { useEffect } from "preact/hooks";
import { TitledDialog } from "../../components/window.tsx";
import { call } from "../../server/client.ts";
import { statusMessage } from "../coding-actions.ts";
import { type Category, type Code, categories, codeOf, codes } from "../project-state.ts";
import { CategoryOptions } from "./category-options.tsx";
import { CategoryWindow } from "./category-window.tsx";
import { MergeSection } from "./code-merge.tsx";
import { SplitSection } from "./code-split.tsx";
import { closeEditor, editedItem } from "./codebook-state.ts";
import { ColourPicker } from "./colour-picker.tsx";
import { DeleteSection } from "./deletion.tsx";
import { DetailsForm } from "./details-form.tsx";

/** The dialog to edit a code or a category. It closes when that is deleted. */
export function EditorWindow() {
  const open = editedItem.value;
  const code = open?.kind === "code" ? codeOf(open.id) : undefined;
  const category = open?.kind === "category" ? categoryOf(open.id) : undefined;
  const isDeleted = open !== undefined && open.kind !== "new category" && !code && !category;
  useEffect(() => {
    if (!isDeleted) return;
    statusMessage.value = `The ${open.kind} was deleted.`;
    closeEditor();
  }, [isDeleted]);
  if (!open || isDeleted) return null;
  return code ? (
    <CodeWindow key={code.id} code={code} />
  ) : (
    <CategoryWindow key={open.kind} category={category} />
  );
}

const categoryOf = (id: number): Category | undefined =>
  categories.value.find((category) => category.id === id);

function CodeWindow({ code }: { code: Code }) {
  return (
    <TitledDialog title={`Code ${code.name}`} close={closeEditor} hasInput>
      <p class="outcome" role="status">
        {statusMessage.value}
      </p>
      <DetailsForm of={code} persist={(fieldValue) => saveCode(code, fieldValue)}>
        <ColourPicker color={code.color} />
        <ParentFields code={code} />
      </DetailsForm>
      {codes.value.length > 1 && <MergeSection code={code} />}
      {code.segment_count > 0 && <SplitSection code={code} />}
      <DeleteSection
        name={code.name}
        run={(preview_token) =>
          call("delete_code", {
            code_id: code.id,
            delete_segments: true,
            ...(preview_token && { confirm: true, preview_token }),
          })
        }
      />
    </TitledDialog>
  );
}

/** Sends only the changed fields, since an agent may change the others meanwhile. */
async function saveCode(code: Code, fieldValue: (field: string) => string): Promise<void> {
  const { id: code_id, name, color, memo, category_id, parent_code_id } = code;
  const changed = {
    ...(fieldValue("name") !== name && { name: fieldValue("name") }),
    ...(fieldValue("color").toUpperCase() !== color?.toUpperCase() && {
      color: fieldValue("color"),
    }),
    ...(fieldValue("memo") !== (memo ?? "") && { memo: fieldValue("memo") }),
    ...(fieldValue("category") !== String(category_id ?? "") && {
      category_id: fieldValue("category") || null,
    }),
  };
  if (Object.keys(changed).length > 0) await call("update_code", { code_id, ...changed });
  const parent = fieldValue("parent");
  if (parent !== String(parent_code_id ?? "")) {
    await call("nest_code", { code_id, parent_code_id: parent || null });
  }
}

function ParentFields({ code }: { code: Code }) {
  return (
    <div class="pair">
      <label>
        Move to category
        <select name="category" defaultValue={String(code.category_id ?? "")}>
          <CategoryOptions chosen={code.category_id} />
        </select>
      </label>
      <label>
        Move below code
        <select name="parent" defaultValue={String(code.parent_code_id ?? "")}>
          <option value="">none</option>
          {codes.value
            .filter(({ id }) => id !== code.id)
            .map(({ id, name }) => (
              <option key={id} value={id} selected={id === code.parent_code_id}>
                {name}
              </option>
            ))}
        </select>
      </label>
    </div>
  );
}
