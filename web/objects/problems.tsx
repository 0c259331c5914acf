import { counted } from "../../src/text/counted.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { FileLine } from "./file-line.tsx";
import { part, path } from "./place.ts";

const mostShown = 500;

const problems = asking((signal) =>
  path.value && part.value === "problems"
    ? call("qmdc_validate_references", { path: path.value, limit: mostShown }, signal)
    : undefined,
);

/** What is wrong in the files, each with the line that it is about. */
export function Problems() {
  const found = problems.answer.value;
  return (
    <section class="problems" aria-label="Problems">
      <p role="status" class="notice">
        {problems.failure.value ?? (found ? countOf(found.total) : "Loading…")}
      </p>
      <ol>
        {found?.diagnostics.map(({ file, line, code, message, severity }, at) => (
          <li key={`${at} ${file}:${line}`} class={severity}>
            <p>
              <strong>{severity === "error" ? "Error" : "Warning"}</strong> {message}
            </p>
            <p class="about">
              <FileLine file={file} line={line} />
              <code>{code}</code>
            </p>
          </li>
        ))}
      </ol>
      {found?.remaining ? <p class="notice">… and {found.remaining} more.</p> : null}
    </section>
  );
}

const countOf = (total: number): string =>
  total === 0 ? "Nothing is wrong: every reference leads somewhere." : counted(total, "problem");
