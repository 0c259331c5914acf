import "../styles/coding.css";
import "../styles/coding-windows.css";
import { screenAddress } from "../app/address.ts";
import { Link, useHeadingFocus } from "../components/link.tsx";
import { useButtonShortcuts } from "../keyboard/button-shortcuts.ts";
import { EditorWindow } from "./codebook/code-window.tsx";
import { Codebook } from "./codebook/codebook.tsx";
import { Inbox } from "./inbox/inbox.tsx";
import { inboxCount, isInboxShown } from "./inbox/inbox-state.ts";
import { NoProject, ProjectChoice } from "./project-choice.tsx";
import {
  currentSourceId,
  inboxName,
  openedSource,
  projectContext,
  projectPath,
  sourceProblem,
  sources,
} from "./project-state.ts";
import { CodePicker } from "./segments/code-picker.tsx";
import { SegmentWindow } from "./segments/segment-window.tsx";
import { SourceText } from "./text/source-text.tsx";
import { CoderLegend, CodingToolbar } from "./toolbar.tsx";

/** The sources of a project, with the codings of people and agents. */
export default function Coding() {
  const heading = useHeadingFocus(projectPath.value);
  useButtonShortcuts(".coding article");
  const context = projectContext.answer.value;
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {context?.project_name ?? "Coding"}
      </h2>
      {projectContext.failure.value && <p class="notice">{projectContext.failure.value}</p>}
      {context && !context.project_open && <NoProject />}
      {context?.project_open && <OpenProject />}
    </>
  );
}

function OpenProject() {
  return (
    <div class="workspace">
      <Sources />
      {isInboxShown.value ? <Inbox /> : <Source />}
      <Codebook />
      <CodePicker />
      <SegmentWindow />
      <EditorWindow />
    </div>
  );
}

function Source() {
  const source = openedSource.value;
  const hasNoSources = sources.value.length === 0;
  const placeholder = sourceProblem.value
    ? "Source not available"
    : hasNoSources
      ? "No sources yet"
      : "Opening…";
  return (
    <article aria-labelledby="source">
      <h3 id="source">{source?.source_name ?? placeholder}</h3>
      {source ? (
        <>
          <CoderLegend />
          <CodingToolbar />
          <SourceText source={source} />
        </>
      ) : (
        <p class="notice">
          {sourceProblem.value ??
            (hasNoSources && "Add a source in a shell or let an agent add one. It opens here.")}
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
              to={screenAddress("coding", String(id))}
              aria-current={id === currentSourceId.value ? "page" : undefined}
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
          <Link
            to={screenAddress("coding", inboxName)}
            aria-current={isInboxShown.value ? "page" : undefined}
          >
            Inbox
          </Link>
          <span class="number">
            {inboxCount.value}
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
