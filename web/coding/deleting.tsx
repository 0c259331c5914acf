import { useSignal } from "@preact/signals";
import { Confirming, type Shown } from "./confirming.tsx";

interface DeletingProps {
  name: string;
  run: (preview_token?: string) => Promise<Shown>;
}

/** Deletes a code or a category, once somebody has seen what goes and what stays. */
export function Deleting({ name, run }: DeletingProps) {
  const isOpen = useSignal(false);
  return (
    <details
      class="task"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>Delete</summary>
      {isOpen.value && <Confirming act={`Delete ${name}`} done={`Deleted ${name}.`} run={run} />}
    </details>
  );
}
