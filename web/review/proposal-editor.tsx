import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import {
  editableInputOf,
  type JsonFields,
  type JsonValue,
  withEditedInput,
} from "./editable-input.ts";
import { passageExcerpts } from "./passage-excerpts.ts";
import { acceptProposal, type Proposal } from "./review-queue.ts";

/** Edits the input of a proposal. The log records an edited acceptance as the person's change. */
export function ProposalEditor({ proposal }: { proposal: Proposal }) {
  const form = useRef<HTMLFormElement>(null);
  const edited = useSignal<JsonFields>(editableInputOf(proposal.input));
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, []);
  return (
    <form
      ref={form}
      class="editing"
      aria-label="Edit proposal"
      onSubmit={(event) => {
        event.preventDefault();
        void acceptProposal(proposal, withEditedInput(proposal.input, edited.value));
      }}
    >
      <p class="about">An edited proposal is recorded in your name.</p>
      <Entries
        of={edited.value}
        change={(next) => {
          edited.value = next;
        }}
      />
      <button type="submit" class="yes">
        Accept edited proposal
      </button>
    </form>
  );
}

function Entries({ of, change }: { of: JsonFields; change: (next: JsonFields) => void }) {
  return (
    <>
      {Object.entries(of).map(([key, value]) => (
        <Entry
          key={key}
          label={key.replaceAll("_", " ")}
          value={value}
          isCode={key === "code_id"}
          change={(next) => change({ ...of, [key]: next })}
        />
      ))}
    </>
  );
}

interface EntryProps {
  label: string;
  value: JsonValue;
  /** Whether it is a code id, which is shown as a list of code names. */
  isCode?: boolean;
  change: (next: JsonValue) => void;
}

function Entry({ label, value, change, isCode = false }: EntryProps) {
  if (isCode && typeof value === "number") return <CodeChoice value={value} change={change} />;
  if (Array.isArray(value)) return <List label={label} items={value} change={change} />;
  if (typeof value === "object" && value !== null) {
    return (
      <fieldset>
        <legend>{label}</legend>
        <Entries of={value} change={change} />
      </fieldset>
    );
  }
  return <Field label={label} value={value} change={change} />;
}

function CodeChoice({ value, change }: { value: number; change: (next: JsonValue) => void }) {
  const codes = passageExcerpts.answer.value?.codes ?? [];
  if (!codes.some(({ id }) => id === value)) {
    return <Field label="code id" value={value} change={change} />;
  }
  return (
    <label>
      code
      <select value={value} onChange={({ currentTarget }) => change(Number(currentTarget.value))}>
        {codes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A list whose items can be removed. */
function List({
  label,
  items,
  change,
}: {
  label: string;
  items: JsonValue[];
  change: (next: JsonValue) => void;
}) {
  return (
    <fieldset>
      <legend>
        {label}, {items.length}
      </legend>
      {items.map((item, index) => (
        <div key={index} class="item">
          <Entry
            label={`${label} ${index + 1}`}
            value={item}
            change={(next) => change(items.with(index, next))}
          />
          <button type="button" class="quiet" onClick={() => change(items.toSpliced(index, 1))}>
            Remove
            <span class="unseen">
              {" "}
              {label} {index + 1}
            </span>
          </button>
        </div>
      ))}
    </fieldset>
  );
}

type Plain = string | number | boolean | null;

/** Longer text gets a multi-line field. */
const maxSingleLineChars = 80;

function Field({ label, value, change }: EntryProps & { value: Plain }) {
  if (typeof value === "boolean") {
    return (
      <label class="yes-or-no">
        <input
          type="checkbox"
          checked={value}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        {label}
      </label>
    );
  }
  if (typeof value === "number") {
    return (
      <label>
        {label}
        <input
          type="number"
          step="any"
          required
          value={value}
          onChange={(event) => change(event.currentTarget.valueAsNumber)}
        />
      </label>
    );
  }
  const text = value ?? "";
  const lines = text.split("\n").length;
  // An empty field of a null value stays null.
  const write = (input: string): void => change(input || (value === null ? null : ""));
  if (lines === 1 && text.length <= maxSingleLineChars) {
    return (
      <label>
        {label}
        <input type="text" value={text} onInput={(event) => write(event.currentTarget.value)} />
      </label>
    );
  }
  return (
    <label>
      {label}
      <textarea
        rows={Math.min(24, Math.max(4, lines + 1))}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
      />
    </label>
  );
}
