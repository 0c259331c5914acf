import type { ComponentChildren } from "preact";
import { attempt, longestName } from "./applying.ts";
import { closeEditing } from "./codebook-state.ts";

interface DetailsProps {
  /** What is changed; nothing where it is to be made. */
  of: { name: string; memo: string | null } | undefined;
  /** Writes down what stands in the fields, each of which is asked for by its name. */
  keep: (given: (field: string) => string) => Promise<void>;
  /** The fields that come after name and memo. */
  children: ComponentChildren;
}

/** What is said of a code or a category. The window closes once it is written down. */
export function Details({ of, keep, children }: DetailsProps) {
  const save = async (form: HTMLFormElement): Promise<void> => {
    const fields = new FormData(form);
    const given = (field: string): string => String(fields.get(field) ?? "");
    const isDone = await attempt(async () => {
      await keep(given);
      return `Kept ${given("name")}.`;
    });
    if (isDone) closeEditing();
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
          maxLength={longestName}
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
          {of ? "Save" : "Make it"}
        </button>
      </p>
    </form>
  );
}
