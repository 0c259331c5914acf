import { useSignal } from "@preact/signals";
import { call, type Output } from "../client.ts";
import { attempt, freshColour, longestName } from "./applying.ts";
import { closeEditing } from "./codebook-state.ts";
import type { Code } from "./project.ts";

type Row = Output<"get_report">["rows"][number];

/** As many as an answer can have. */
const mostPassages = 5_000;

/** Gives some passages to a new code; those that are ticked are what moves. */
export function Splitting({ code }: { code: Code }) {
  const passages = useSignal<readonly Row[]>([]);
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const name = useSignal("");
  const look = (): Promise<boolean> =>
    attempt(async () => {
      const wanted = { report: "passages" as const, code_ids: [code.id], limit: mostPassages };
      const { rows } = await call("get_report", wanted);
      passages.value = rows.filter(({ kind }) => kind === "text");
      return undefined;
    });
  const split = async (): Promise<void> => {
    const isDone = await attempt(async () => {
      await call("split_code", {
        code_id: code.id,
        name: name.value.trim(),
        segment_ids: [...chosen.value],
        color: freshColour(),
      });
      return `Split ${code.name}.`;
    });
    if (isDone) closeEditing();
  };
  const tick = (id: number): void => {
    const next = new Set(chosen.value);
    if (!next.delete(id)) next.add(id);
    chosen.value = next;
  };
  return (
    <details
      class="task"
      onToggle={(event) => {
        if (event.currentTarget.open) void look();
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
            maxLength={longestName}
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <fieldset class="passages">
          <legend>Passages that go to it</legend>
          {passages.value.map(({ segment_id, source_name, text }) => (
            <label key={segment_id}>
              <input
                type="checkbox"
                checked={chosen.value.has(Number(segment_id))}
                onChange={() => tick(Number(segment_id))}
              />
              <span>
                {text} <span class="about">{source_name}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p role="status">
          {chosen.value.size} of {passages.value.length} passages go to{" "}
          {name.value.trim() ? `“${name.value.trim()}”` : "the new code"}; the others stay.
        </p>
        <p class="acts">
          <button type="submit" disabled={chosen.value.size === 0}>
            Split
          </button>
        </p>
      </form>
    </details>
  );
}
