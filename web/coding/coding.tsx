import "../look/coding.css";
import "../look/coding-windows.css";
import { useEffect } from "preact/hooks";
import { screen } from "../address.ts";
import { pressButton } from "../button-keys.ts";
import { Link, useArrival } from "../link.tsx";
import { CodePicker } from "./code-picker.tsx";
import { EditingWindow } from "./code-window.tsx";
import { Codebook } from "./codebook.tsx";
import { Inbox } from "./inbox.tsx";
import { context, inboxName, opened, problem, project, sourceId, sources } from "./project.ts";
import { NoProject, ProjectChoice } from "./project-choice.tsx";
import { SourceText } from "./source-text.tsx";
import { Stack } from "./stack.tsx";
import { Coders, Tools } from "./tools.tsx";
import { isInbox, waitingCount } from "./waiting.ts";

/** Texts of a project and what people and agents have coded in them. */
export default function Coding() {
  const heading = useArrival(project.value);
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressButton(event, ".coding article");
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const known = context.answer.value;
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {known?.project_name ?? "Coding"}
      </h2>
      {context.failure.value && <p class="notice">{context.failure.value}</p>}
      {known && !known.project_open && <NoProject />}
      {known?.project_open && <OpenProject />}
    </>
  );
}

function OpenProject() {
  return (
    <div class="desk">
      <Sources />
      {isInbox.value ? <Inbox /> : <Source />}
      <Codebook />
      <CodePicker />
      <Stack />
      <EditingWindow />
    </div>
  );
}

function Source() {
  const source = opened.value;
  const isNone = sources.value.length === 0;
  const instead = problem.value ? "It cannot be opened" : isNone ? "No source yet" : "Opening…";
  return (
    <article aria-labelledby="source">
      <h3 id="source">{source?.source_name ?? instead}</h3>
      {source ? (
        <>
          <Coders />
          <Tools />
          <SourceText source={source} />
        </>
      ) : (
        <p class="notice">
          {problem.value ??
            (isNone && "Add a text at a shell or let an agent do so; it opens here.")}
        </p>
      )}
    </article>
  );
}

function Sources() {
  return (
    <nav class="sources" aria-labelledby="sources">
      <h3 id="sources">Sources</h3>
      <ul>
        {sources.value.map(({ id, name, code_count, private: isPrivate }) => (
          <li key={id} class="counted">
            <Link
              to={screen("coding", String(id))}
              aria-current={id === sourceId.value ? "page" : undefined}
            >
              {name}
              {isPrivate && <span class="about"> private</span>}
            </Link>
            <span class="number">
              {code_count}
              <span class="unseen"> codings</span>
            </span>
          </li>
        ))}
        <li class="counted inbox-link">
          <Link to={screen("coding", inboxName)} aria-current={isInbox.value ? "page" : undefined}>
            Inbox
          </Link>
          <span class="number">
            {waitingCount.value}
            <span class="unseen"> waiting</span>
          </span>
        </li>
      </ul>
      <details>
        <summary>Another project</summary>
        <ProjectChoice />
      </details>
    </nav>
  );
}
