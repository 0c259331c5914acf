import { useSignal } from "@preact/signals";
import { call } from "../../server/client.ts";
import { type Code, codes } from "../project-state.ts";
import { ConfirmedAction } from "./confirmed-action.tsx";

/** Moves all codings to another code, after a preview. */
export function MergeSection({ code }: { code: Code }) {
  const target = useSignal("");
  return (
    <details class="task">
      <summary>Merge into another code</summary>
      <label>
        Into
        <select
          value={target.value}
          onChange={(event) => {
            target.value = event.currentTarget.value;
          }}
        >
          <option value="">Choose a code</option>
          {codes.value
            .filter(({ id }) => id !== code.id)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </label>
      {target.value && (
        <ConfirmedAction
          key={target.value}
          act="Merge"
          done={`Merged ${code.name}.`}
          run={(preview_token) =>
            call("merge_codes", {
              source_code_id: code.id,
              target_code_id: Number(target.value),
              ...(preview_token && { confirm: true, preview_token }),
            })
          }
        />
      )}
    </details>
  );
}
