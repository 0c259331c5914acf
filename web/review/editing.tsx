import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { editableIn, type Fields, type Value, withEdited } from "./fields.ts";
import { accept, type Proposal } from "./queue.ts";
import { seenPassages } from "./seen-passages.ts";

/** What is done instead. It is then the person's own act, and the log says so. */
export function Editing({ proposal }: { proposal: Proposal }) {
  const form = useRef<HTMLFormElement>(null);
  const edited = useSignal<Fields>(editableIn(proposal.input));
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, []);
  return (
    <form
      ref={form}
      class="editing"
      aria-label="What is done instead"
      onSubmit={(event) => {
        event.preventDefault();
        void accept(proposal, withEdited(proposal.input, edited.value));
      }}
    >
      <p class="about">What you change is yours: it is done in your name, and the log says so.</p>
      <Entries
        of={edited.value}
        change={(next) => {
          edited.value = next;
        }}
      />
      <button type="submit" class="yes">
        Accept what stands here
      </button>
    </form>
  );
}

function Entries({ of, change }: { of: Fields; change: (next: Fields) => void }) {
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
  value: Value;
  /** Whether it is the number of a code, which people know by its name. */
  isCode?: boolean;
  change: (next: Value) => void;
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

function CodeChoice({ value, change }: { value: number; change: (next: Value) => void }) {
  const codes = seenPassages.answer.value?.codes ?? [];
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

/** Each can be left out. */
function List({
  label,
  items,
  change,
}: {
  label: string;
  items: Value[];
  change: (next: Value) => void;
}) {
  return (
    <fieldset>
      <legend>
        {label}, {items.length}
      </legend>
      {items.map((item, at) => (
        <div key={at} class="item">
          <Entry
            label={`${label} ${at + 1}`}
            value={item}
            change={(next) => change(items.map((one, place) => (place === at ? next : one)))}
          />
          <button
            type="button"
            class="quiet"
            onClick={() => change(items.filter((_one, place) => place !== at))}
          >
            Leave out
            <span class="unseen">
              {" "}
              {label} {at + 1}
            </span>
          </button>
        </div>
      ))}
    </fieldset>
  );
}

type Plain = string | number | boolean | null;

/** Text longer than this is written in a field of several lines. */
const oneLine = 80;

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
  // Whoever leaves an empty field empty leaves nothing in it.
  const write = (words: string): void => change(words || (value === null ? null : ""));
  if (lines === 1 && text.length <= oneLine) {
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
