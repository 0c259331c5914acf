import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import { WorkProgress } from "../components/progress.tsx";
import { callWithProgress } from "../server/client.ts";
import { createJob } from "../server/job.ts";

/** Adds a folder as a collection; its files are neither moved nor changed. */
export function AddFolder() {
  const path = useSignal("");
  const name = useSignal("");
  const enteredPath = path.value.trim().replace(/[/\\]+$/, "");
  const adding = useMemo(
    () =>
      createJob((onStart) =>
        callWithProgress(
          "add_collection",
          { path: path.peek().trim(), name: name.peek() || baseName(path.peek()) },
          onStart,
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
          placeholder={baseName(enteredPath) || "notes"}
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
        <WorkProgress
          what="Reading documents"
          progress={adding.progress.value}
          stop={adding.stop}
        />
      )}
      <p role="status" class="outcome">
        {adding.failure.value ||
          (added && `Added ${added.name} with ${pluralise(added.documents, "document")}.`)}
      </p>
    </form>
  );
}

const baseName = (path: string): string => /([^/\\]+)[/\\]*\s*$/.exec(path)?.[1]?.trim() ?? "";
