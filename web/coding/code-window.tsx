import { useEffect } from "preact/hooks";
import { call } from "../client.ts";
import { Window } from "../window.tsx";
import { said } from "./applying.ts";
import { CategoryChoices } from "./category-choices.tsx";
import { CategoryWindow } from "./category-window.tsx";
import { closeEditing, editing } from "./codebook-state.ts";
import { ColourChoice } from "./colour-choice.tsx";
import { Deleting } from "./deleting.tsx";
import { Details } from "./details.tsx";
import { Merging } from "./merging.tsx";
import { type Category, type Code, categories, codeOf, codes } from "./project.ts";
import { Splitting } from "./splitting.tsx";

/** The window in which a code or a category is changed. It ends with what it is about. */
export function EditingWindow() {
  const open = editing.value;
  const code = open?.kind === "code" ? codeOf(open.id) : undefined;
  const category = open?.kind === "category" ? categoryOf(open.id) : undefined;
  const isGone = open !== undefined && open.kind !== "new category" && !code && !category;
  useEffect(() => {
    if (!isGone) return;
    said.value = "It was deleted meanwhile.";
    closeEditing();
  }, [isGone]);
  if (!open || isGone) return null;
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
    <Window title={`Code ${code.name}`} close={closeEditing} holdsWords>
      <p class="outcome" role="status">
        {said.value}
      </p>
      <Details of={code} keep={(given) => keep(code, given)}>
        <ColourChoice color={code.color} />
        <Places code={code} />
      </Details>
      {codes.value.length > 1 && <Merging code={code} />}
      {code.segment_count > 0 && <Splitting code={code} />}
      <Deleting
        name={code.name}
        run={(preview_token) =>
          call("delete_code", {
            code_id: code.id,
            delete_segments: true,
            ...(preview_token && { confirm: true, preview_token }),
          })
        }
      />
    </Window>
  );
}

/** Only what somebody has changed is sent, since an agent may change the rest meanwhile. */
async function keep(code: Code, given: (field: string) => string): Promise<void> {
  const { id: code_id, name, color, memo, category_id, parent_code_id } = code;
  const changed = {
    ...(given("name") !== name && { name: given("name") }),
    ...(given("color").toUpperCase() !== color?.toUpperCase() && { color: given("color") }),
    ...(given("memo") !== (memo ?? "") && { memo: given("memo") }),
    ...(given("category") !== String(category_id ?? "") && {
      category_id: given("category") || null,
    }),
  };
  if (Object.keys(changed).length > 0) await call("update_code", { code_id, ...changed });
  const parent = given("parent");
  if (parent !== String(parent_code_id ?? "")) {
    await call("nest_code", { code_id, parent_code_id: parent || null });
  }
}

function Places({ code }: { code: Code }) {
  return (
    <div class="pair">
      <label>
        Move to category
        <select name="category" defaultValue={String(code.category_id ?? "")}>
          <CategoryChoices chosen={code.category_id} />
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
