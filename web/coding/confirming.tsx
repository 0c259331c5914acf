import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { attempt } from "./applying.ts";
import { closeEditing } from "./codebook-state.ts";

/** What would be done, in words, and the mark of exactly that. */
export interface Shown {
  message?: string | undefined;
  preview_token?: string | undefined;
}

interface ConfirmingProps {
  /** What the button says, and what is said once it is done. */
  act: string;
  done: string;
  /** Tells what would be done; with the token of what was told, does exactly that or nothing. */
  run: (preview_token?: string) => Promise<Shown>;
}

/** What would be done, and the button that does it once somebody has seen that. */
export function Confirming({ act, done, run }: ConfirmingProps) {
  const shown = useSignal<Shown | undefined>(undefined);
  const look = (): Promise<boolean> =>
    attempt(async () => {
      shown.value = await run();
      return undefined;
    });
  const confirm = async (): Promise<void> => {
    const isDone = await attempt(async () => {
      await run(shown.value?.preview_token);
      return done;
    });
    if (isDone) closeEditing();
    else await look();
  };
  useEffect(() => void look(), []);
  return (
    <>
      <p role="status">{shown.value?.message && `${shown.value.message}.`}</p>
      {shown.value?.preview_token && (
        <p class="acts" ref={reveal}>
          <button type="button" class="no" onClick={() => void confirm()}>
            {act}
          </button>
        </p>
      )}
    </>
  );
}

const reveal = (acts: HTMLElement | null): void => acts?.scrollIntoView({ block: "nearest" });
