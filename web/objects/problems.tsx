import { pluralise } from "../../src/text/strings/pluralise.ts";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { ObjectFileLink } from "./object-file-link.tsx";
import { objectsPart, workspacePath } from "./objects-address.ts";

const maxProblems = 500;

const problems = createLiveQuery((signal) =>
  workspacePath.value && objectsPart.value === "problems"
    ? call("qmdc_validate_references", { path: workspacePath.value, limit: maxProblems }, signal)
    : undefined,
);

/** The problems of the object files, each with its line. */
export function Problems() {
  const report = problems.answer.value;
  return (
    <section class="problems" aria-label="Problems">
      <p role="status" class="notice">
        {problems.failure.value ?? (report ? countOf(report.total) : "Loading…")}
      </p>
      <ol>
        {report?.diagnostics.map(({ file, line, code, message, severity }, index) => (
          <li key={`${index} ${file}:${line}`} class={severity}>
            <p>
              <strong>{severity === "error" ? "Error" : "Warning"}</strong> {message}
            </p>
            <p class="about">
              <ObjectFileLink file={file} line={line} />
              <code>{code}</code>
            </p>
          </li>
        ))}
      </ol>
      {report?.remaining ? <p class="notice">… and {report.remaining} more.</p> : null}
    </section>
  );
}

const countOf = (total: number): string =>
  total === 0 ? "No problems: every reference resolves." : pluralise(total, "problem");
