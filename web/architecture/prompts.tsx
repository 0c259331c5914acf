import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { Link } from "../link.tsx";
import { of, part, place } from "./place.ts";

const listed = asking((signal) =>
  part.value === "prompts" ? call("list_prompts", {}, signal) : undefined,
);

type Prompt = Output<"list_prompts">["prompts"][number];

/** What was filled in last; a prompt of another name has nothing to do with it. */
const tried = signal<{ name: string; values: Record<string, string> } | undefined>(undefined);

const isTried = computed(() => part.value === "prompts" && tried.value?.name === of.value);

const rendered = asking((signal) =>
  isTried.value && tried.value
    ? call("render_prompt", { name: tried.value.name, arguments: tried.value.values }, signal)
    : undefined,
);

/** The prompts, and what each says to an agent once its arguments are filled in. */
export function Prompts() {
  const prompts = listed.answer.value?.prompts;
  if (listed.failure.value) return <p class="notice">{listed.failure.value}</p>;
  if (!prompts) return <p class="notice">Loading…</p>;
  const chosen = prompts.find(({ name }) => name === of.value);
  return (
    <div class="prompts">
      <nav aria-label="Prompts">
        <ul>
          {prompts.map(({ name, title, description }) => (
            <li key={name}>
              <Link
                to={place("prompts", name)}
                aria-current={name === of.value ? "page" : undefined}
              >
                {title ?? name}
              </Link>
              <p class="about">{description}</p>
            </li>
          ))}
        </ul>
      </nav>
      {of.value && !chosen && <p class="notice">There is no prompt of this name any more.</p>}
      {chosen && <Trial key={chosen.name} prompt={chosen} />}
    </div>
  );
}

function Trial({ prompt }: { prompt: Prompt }) {
  const { name, title, arguments: wanted } = prompt;
  const heading = useRef<HTMLHeadingElement>(null);
  // On a narrow screen it stands below the list; the focus takes the eye along.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="trial" aria-labelledby="trial">
      <h3 id="trial" ref={heading} tabIndex={-1}>
        {title ?? name}
      </h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          tried.value = { name, values: filled(new FormData(event.currentTarget)) };
        }}
      >
        {wanted.map((argument) => (
          <label key={argument.name}>
            <span>
              {argument.name}
              {argument.required ? "" : " (may be empty)"}
            </span>
            {argument.description && <span class="hint">{argument.description}</span>}
            <textarea
              name={argument.name}
              rows={3}
              required={argument.required}
              defaultValue={tried.peek()?.name === name ? tried.peek()?.values[argument.name] : ""}
            />
          </label>
        ))}
        <button type="submit" class="yes">
          Try it
        </button>
      </form>
      <p role="status" class="notice">
        {rendered.failure.value ?? ""}
      </p>
      {isTried.value &&
        rendered.answer.value?.messages.map(({ role, text }, at) => (
          <section class="message" key={`${at} ${role}`} aria-label={`Message ${at + 1}`}>
            <p class="role">{role === "user" ? "To the agent" : "As if the agent had said"}</p>
            <pre>{text}</pre>
          </section>
        ))}
    </section>
  );
}

/** Only what somebody wrote something into. */
function filled(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === "string" && value.trim() !== "") values[name] = value;
  }
  return values;
}
