import { useRef } from "preact/hooks";
import { call } from "../client.ts";
import { attempt, longestName, said } from "./applying.ts";
import { CategoryChoices } from "./category-choices.tsx";
import { CategorySheet } from "./category-sheet.tsx";
import { closeEditing, editing } from "./codebook-state.ts";
import { ColourChoice } from "./colour-choice.tsx";
import { Deleting } from "./deleting.tsx";
import { Merging } from "./merging.tsx";
import { type Code, codeOf, codes } from "./project.ts";
import { Sheet } from "./sheet.tsx";
import { Splitting } from "./splitting.tsx";

/** The window in which a code or a category is changed. */
export function EditingSheet() {
  const open = editing.value;
  if (!open) return null;
  if (open.kind !== "code") return <CategorySheet key={open.kind} />;
  const code = codeOf(open.id);
  return code ? <CodeSheet key={code.id} code={code} /> : null;
}

function CodeSheet({ code }: { code: Code }) {
  return (
    <Sheet title={`Code ${code.name}`} close={closeEditing}>
      <p class="outcome" role="status">
        {said.value}
      </p>
      <Details code={code} />
      {codes.value.length > 1 && <Merging code={code} />}
      {code.segment_count > 0 && <Splitting code={code} />}
      <Deleting code={code} />
    </Sheet>
  );
}

function Details({ code }: { code: Code }) {
  const form = useRef<HTMLFormElement>(null);
  const save = async (): Promise<void> => {
    if (!form.current) return;
    const given = new FormData(form.current);
    const words = (name: string): string => String(given.get(name) ?? "");
    const changed = {
      ...(words("name") !== code.name && { name: words("name") }),
      ...(words("color").toUpperCase() !== code.color?.toUpperCase() && { color: words("color") }),
      ...(words("memo") !== (code.memo ?? "") && { memo: words("memo") }),
      ...(words("category") !== String(code.category_id ?? "") && {
        category_id: words("category") || null,
      }),
    };
    const parent = words("parent");
    const isMoved = parent !== String(code.parent_code_id ?? "");
    const isDone = await attempt(async () => {
      if (Object.keys(changed).length > 0)
        await call("update_code", { code_id: code.id, ...changed });
      if (isMoved) await call("nest_code", { code_id: code.id, parent_code_id: parent || null });
      return `Kept ${words("name")}.`;
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
        <input type="text" name="name" required maxLength={longestName} defaultValue={code.name} />
      </label>
      <ColourChoice color={code.color} />
      <label>
        Memo
        <textarea name="memo" rows={3} defaultValue={code.memo ?? ""} />
      </label>
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
      <p class="acts">
        <button type="submit" class="yes">
          Save
        </button>
      </p>
    </form>
  );
}
