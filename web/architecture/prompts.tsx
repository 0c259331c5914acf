import { computed, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Link } from "../components/link.tsx";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { architectureAddress, architectureItem, architecturePart } from "./architecture-address.ts";

const listed = createLiveQuery((signal) =>
  architecturePart.value === "prompts" ? call("list_prompts", {}, signal) : undefined,
);

type Prompt = Output<"list_prompts">["prompts"][number];

/** The arguments submitted last, and the prompt that they are for. */
const submitted = signal<{ name: string; values: Record<string, string> } | undefined>(undefined);

const isSubmitted = computed(
  () => architecturePart.value === "prompts" && submitted.value?.name === architectureItem.value,
);

const rendered = createLiveQuery((signal) =>
  isSubmitted.value && submitted.value
    ? call(
        "render_prompt",
        { name: submitted.value.name, arguments: submitted.value.values },
        signal,
      )
    : undefined,
);

/** The prompts, with a preview of each for given arguments. */
export function Prompts() {
  const prompts = listed.answer.value?.prompts;
  if (listed.failure.value) return <p class="notice">{listed.failure.value}</p>;
  if (!prompts) return <p class="notice">Loading…</p>;
  const chosen = prompts.find(({ name }) => name === architectureItem.value);
  return (
    <div class="prompts">
      <nav aria-label="Prompts">
        <ul>
          {prompts.map(({ name, title, description }) => (
            <li key={name}>
              <Link
                to={architectureAddress("prompts", name)}
                aria-current={name === architectureItem.value ? "page" : undefined}
              >
                {title ?? name}
              </Link>
              <p class="about">{description}</p>
            </li>
          ))}
        </ul>
      </nav>
      {architectureItem.value && !chosen && <p class="notice">This prompt no longer exists.</p>}
      {chosen && <Preview key={chosen.name} prompt={chosen} />}
    </div>
  );
}

function Preview({ prompt }: { prompt: Prompt }) {
  const { name, title, arguments: parameters } = prompt;
  const heading = useRef<HTMLHeadingElement>(null);
  // On a narrow screen the preview is below the list; focusing it scrolls it into view.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="trial" aria-labelledby="trial">
      <h3 id="trial" ref={heading} tabIndex={-1}>
        {title ?? name}
      </h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submitted.value = { name, values: nonBlankFields(new FormData(event.currentTarget)) };
        }}
      >
        {parameters.map((argument) => (
          <label key={argument.name}>
            <span>
              {argument.name}
              {argument.required ? "" : " (optional)"}
            </span>
            {argument.description && <span class="hint">{argument.description}</span>}
            <textarea
              name={argument.name}
              rows={3}
              required={argument.required}
              defaultValue={
                submitted.peek()?.name === name ? submitted.peek()?.values[argument.name] : ""
              }
            />
          </label>
        ))}
        <button type="submit" class="yes">
          Preview
        </button>
      </form>
      <p role="status" class="notice">
        {rendered.failure.value ?? ""}
      </p>
      {isSubmitted.value &&
        rendered.answer.value?.messages.map(({ role, text }, index) => (
          <section class="message" key={`${index} ${role}`} aria-label={`Message ${index + 1}`}>
            <p class="role">{role === "user" ? "To the agent" : "From the agent"}</p>
            <pre>{text}</pre>
          </section>
        ))}
    </section>
  );
}

/** The fields that are not blank. */
function nonBlankFields(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === "string" && value.trim() !== "") values[name] = value;
  }
  return values;
}
