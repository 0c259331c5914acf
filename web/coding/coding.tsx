import "../look/coding.css";
import { useEffect } from "preact/hooks";
import { screen } from "../address.ts";
import { pressButton } from "../button-keys.ts";
import { Link, useArrival } from "../link.tsx";
import { applyInVivo, isPicking, nothingSelected, redo, said, undo } from "./applying.ts";
import { CodePicker } from "./code-picker.tsx";
import { Codebook } from "./codebook.tsx";
import { context, opened, project, sourceId, sources } from "./project.ts";
import { NoProject, ProjectChoice } from "./project-choice.tsx";
import { selected } from "./selection.ts";
import { SourceText } from "./source-text.tsx";
import { Stack } from "./stack.tsx";

/** Texts of a project and what people and agents have coded in them. */
export default function Coding() {
  const heading = useArrival(project.value);
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressButton(event, ".tools");
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
  const source = opened.answer.value;
  return (
    <div class="desk">
      <Sources />
      <article aria-labelledby="source">
        <h3 id="source">{source?.source_name ?? "No source yet"}</h3>
        {source ? (
          <>
            <Tools />
            <SourceText source={source} />
          </>
        ) : (
          <p class="notice">
            {opened.failure.value ?? "Add a text at a shell or let an agent do so; it opens here."}
          </p>
        )}
      </article>
      <Codebook />
      <CodePicker />
      <Stack />
    </div>
  );
}

function Sources() {
  return (
    <nav class="sources" aria-labelledby="sources">
      <h3 id="sources">Sources</h3>
      <ul>
        {sources.value.map(({ id, name, code_count }) => (
          <li key={id} class="counted">
            <Link
              to={screen("coding", String(id))}
              aria-current={id === sourceId.value ? "page" : undefined}
            >
              {name}
            </Link>
            <span class="count">
              {code_count}
              <span class="unseen"> codings</span>
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Another project</summary>
        <ProjectChoice />
      </details>
    </nav>
  );
}

function Tools() {
  const withSelection = (act: () => void) => () => {
    if (selected.value) act();
    else said.value = nothingSelected;
  };
  const pick = (): void => {
    said.value = "";
    isPicking.value = true;
  };
  return (
    <div class="tools">
      <div role="toolbar" aria-label="Coding">
        <button type="button" aria-keyshortcuts="c" onClick={withSelection(pick)}>
          Code <kbd>c</kbd>
        </button>
        <button
          type="button"
          aria-keyshortcuts="v"
          onClick={withSelection(() => void applyInVivo())}
        >
          In vivo <kbd>v</kbd>
        </button>
        <button type="button" aria-keyshortcuts="u" onClick={() => void undo()}>
          Undo <kbd>u</kbd>
        </button>
        <button type="button" aria-keyshortcuts="r" onClick={() => void redo()}>
          Redo <kbd>r</kbd>
        </button>
      </div>
      <p class="outcome" role="status">
        {said.value}
      </p>
    </div>
  );
}
