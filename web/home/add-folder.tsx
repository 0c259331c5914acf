import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { counted } from "../../src/text/counted.ts";
import { work } from "../client.ts";
import { job } from "../job.ts";
import { Going } from "../progress.tsx";

/** Takes a folder in as a collection; nothing in it is moved or changed. */
export function AddFolder() {
  const path = useSignal("");
  const name = useSignal("");
  const usualName = path.value.trim().replace(/[/\\]+$/, "");
  const adding = useMemo(
    () =>
      job((begun) =>
        work(
          "add_collection",
          { path: path.peek().trim(), name: name.peek() || lastOf(path.peek()) },
          begun,
        ),
      ),
    [path, name],
  );
  const added = adding.answer.value;
  return (
    <form
      class="add-folder"
      onSubmit={(event) => {
        event.preventDefault();
        adding.begin();
      }}
    >
      <label>
        Folder
        <input
          type="text"
          required
          spellcheck={false}
          autocomplete="off"
          maxLength={4_096}
          placeholder="/home/you/notes"
          value={path.value}
          onInput={(event) => {
            path.value = event.currentTarget.value;
          }}
        />
      </label>
      <label>
        Name
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          maxLength={200}
          placeholder={lastOf(usualName) || "notes"}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value.trim();
          }}
        />
      </label>
      <button type="submit" class="yes">
        Add
      </button>
      {adding.progress.value && (
        <Going what="Reading documents" progress={adding.progress.value} stop={adding.stop} />
      )}
      <p role="status" class="said">
        {adding.failure.value ||
          (added && `Added ${added.name} with ${counted(added.documents, "document")}.`)}
      </p>
    </form>
  );
}

const lastOf = (path: string): string => /([^/\\]+)[/\\]*\s*$/.exec(path)?.[1]?.trim() ?? "";
