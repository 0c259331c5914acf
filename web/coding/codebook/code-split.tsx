import { useSignal } from "@preact/signals";
import { call, type Output } from "../../server/client.ts";
import { maxNameLength, nextColour, runAndReport } from "../coding-actions.ts";
import type { Code } from "../project-state.ts";
import { closeEditor } from "./codebook-state.ts";

type Row = Output<"get_report">["rows"][number];

/** The maximum number of rows of an answer. */
const maxPassages = 5_000;

/** Moves the selected passages to a new code. */
export function SplitSection({ code }: { code: Code }) {
  const passages = useSignal<readonly Row[]>([]);
  const selectedIds = useSignal<ReadonlySet<number>>(new Set());
  const name = useSignal("");
  const loadPassages = (): Promise<boolean> =>
    runAndReport(async () => {
      const query = { report: "passages" as const, code_ids: [code.id], limit: maxPassages };
      const { rows } = await call("get_report", query);
      passages.value = rows.filter(({ kind }) => kind === "text");
      return undefined;
    });
  const split = async (): Promise<void> => {
    const isDone = await runAndReport(async () => {
      await call("split_code", {
        code_id: code.id,
        name: name.value.trim(),
        segment_ids: [...selectedIds.value],
        color: nextColour(),
      });
      return `Split ${code.name}.`;
    });
    if (isDone) closeEditor();
  };
  const toggleSelected = (id: number): void => {
    const next = new Set(selectedIds.value);
    if (!next.delete(id)) next.add(id);
    selectedIds.value = next;
  };
  return (
    <details
      class="task"
      onToggle={(event) => {
        if (event.currentTarget.open) void loadPassages();
      }}
    >
      <summary>Split</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void split();
        }}
      >
        <label>
          Name of the new code
          <input
            type="text"
            required
            maxLength={maxNameLength}
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <fieldset class="passages">
          <legend>Passages to move</legend>
          {passages.value.map(({ segment_id, source_name, text }) => (
            <label key={segment_id}>
              <input
                type="checkbox"
                checked={selectedIds.value.has(Number(segment_id))}
                onChange={() => toggleSelected(Number(segment_id))}
              />
              <span>
                {text} <span class="about">{source_name}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p role="status">
          {selectedIds.value.size} of {passages.value.length} passages move to{" "}
          {name.value.trim() ? `“${name.value.trim()}”` : "the new code"}.
        </p>
        <p class="acts">
          <button type="submit" disabled={selectedIds.value.size === 0}>
            Split
          </button>
        </p>
      </form>
    </details>
  );
}
