import { useEffect, useRef } from "preact/hooks";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { Link, useArrival } from "../link.tsx";
import { Prose } from "../markdown/prose.tsx";
import { checks, Findings } from "./checks.tsx";
import { DecisionLink, Status } from "./decisions.tsx";
import { destinationIn } from "./destination.ts";
import { byFile, nameOf } from "./known-decisions.ts";
import { decisionAt, of, part, place } from "./place.ts";

const opened = asking((signal) =>
  part.value?.startsWith("decision") && of.value
    ? call("show_decision", { id: of.value }, signal)
    : undefined,
);

type Shown = Output<"show_decision">;

/** One decision: what it says, where it stands, and what is wrong with its record. */
export function DecisionPage() {
  const decision = opened.answer.value;
  if (opened.failure.value) {
    return (
      <>
        <p class="notice">{opened.failure.value}</p>
        <p>
          <Link to={place()}>All decisions</Link>
        </p>
      </>
    );
  }
  if (decision?.file !== of.value) return <p class="notice">Loading…</p>;
  return <Page decision={decision} />;
}

function Page({ decision }: { decision: Shown }) {
  const heading = useArrival(decision.file);
  const line = lineIn(part.value);
  const own = checks.answer.value?.findings.filter(({ file }) => file === decision.file) ?? [];
  return (
    <article class="decision" aria-labelledby="decision">
      <p class="about">
        <Status decision={decision} />
        {decision.date && <time>{decision.date}</time>}
        {decision.deciders.length > 0 && <span>{decision.deciders.join(", ")}</span>}
        <span class="file">{decision.file}</span>
      </p>
      <h3 id="decision" ref={heading} tabIndex={-1}>
        {nameOf(decision)}
      </h3>
      <Standing decision={decision} />
      <Findings findings={own} />
      <nav class="parts" aria-label="Views of the decision">
        <Link to={decisionAt(decision.file)} aria-current={line ? undefined : "page"}>
          Text
        </Link>
        <Link to={decisionAt(decision.file, line || 1)} aria-current={line ? "page" : undefined}>
          Lines
        </Link>
      </nav>
      {line ? (
        <Lines text={decision.text} line={line} />
      ) : (
        <Prose
          text={decision.text}
          isTitled
          leadsTo={(written) => destinationIn(decision.file, written, byFile.value)}
        />
      )}
    </article>
  );
}

const lineIn = (part: string | undefined): number => Number(/-(\d+)$/.exec(part ?? "")?.[1] ?? 0);

/** What holds in its place, and what it says of others. */
function Standing({ decision: { file, living, links } }: { decision: Shown }) {
  const isLiving = living.length === 1 && living[0] === file;
  return (
    <>
      {!isLiving && (
        <p class="standing">
          {living.length === 0 ? "Nothing holds in its place." : "In its place holds "}
          {living.map((one, at) => (
            <span key={one}>
              {at > 0 && ", "}
              <DecisionLink file={one} />
            </span>
          ))}
        </p>
      )}
      {links.length > 0 && (
        <ul class="relations">
          {links.map(({ verb, file: target, text, partial, line }) => (
            <li key={`${line} ${verb} ${text}`}>
              {verb} {target ? <DecisionLink file={target} /> : `${text} (there is no such record)`}
              {partial && " in part"}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The record as it is written, at the line that somebody came for. */
function Lines({ text, line }: { text: string; line: number }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }, [line]);
  return (
    <div class="lines" ref={frame}>
      {text.split(/\r\n|\r|\n/).map((words, at) => (
        <div
          class="line"
          key={`${at} ${words}`}
          data-number={at + 1}
          aria-current={at + 1 === line ? "location" : undefined}
        >
          {words}
        </div>
      ))}
    </div>
  );
}
