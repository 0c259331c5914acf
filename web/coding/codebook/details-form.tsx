import type { ComponentChildren } from "preact";
import { maxNameLength, runAndReport } from "../coding-actions.ts";
import { closeEditor } from "./codebook-state.ts";

interface DetailsProps {
  /** The edited item; undefined for a new one. */
  of: { name: string; memo: string | null } | undefined;
  /** Saves the form. `fieldValue` gives the value of a field by its name. */
  persist: (fieldValue: (field: string) => string) => Promise<void>;
  /** The fields after name and memo. */
  children: ComponentChildren;
}

/** The form of a code or a category. The dialog closes once it is saved. */
export function DetailsForm({ of, persist, children }: DetailsProps) {
  const save = async (form: HTMLFormElement): Promise<void> => {
    const fields = new FormData(form);
    const fieldValue = (field: string): string => String(fields.get(field) ?? "");
    const isDone = await runAndReport(async () => {
      await persist(fieldValue);
      return `Saved ${fieldValue("name")}.`;
    });
    if (isDone) closeEditor();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget);
      }}
    >
      <label>
        Name
        <input
          type="text"
          name="name"
          required
          autofocus
          maxLength={maxNameLength}
          defaultValue={of?.name ?? ""}
        />
      </label>
      <label>
        Memo
        <textarea name="memo" rows={3} defaultValue={of?.memo ?? ""} />
      </label>
      {children}
      <p class="acts">
        <button type="submit" class="yes">
          {of ? "Save" : "Create"}
        </button>
      </p>
    </form>
  );
}
