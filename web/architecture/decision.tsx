import { useEffect, useRef } from "preact/hooks";
import { Link, useHeadingFocus } from "../components/link.tsx";
import { Prose } from "../markdown/prose.tsx";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import {
  architectureAddress,
  architectureItem,
  architecturePart,
  decisionAddress,
} from "./architecture-address.ts";
import { checks, Findings } from "./checks.tsx";
import { resolveDecisionLink } from "./decision-links.ts";
import { decisionsByFile, decisionTitle } from "./decision-state.ts";
import { DecisionLink, Status } from "./decisions.tsx";

const opened = createLiveQuery((signal) =>
  architecturePart.value?.startsWith("decision") && architectureItem.value
    ? call("show_decision", { id: architectureItem.value }, signal)
    : undefined,
);

type Shown = Output<"show_decision">;

/** One decision: its text, its status and the problems of its record. */
export function DecisionPage() {
  const decision = opened.answer.value;
  if (opened.failure.value) {
    return (
      <>
        <p class="notice">{opened.failure.value}</p>
        <p>
          <Link to={architectureAddress()}>All decisions</Link>
        </p>
      </>
    );
  }
  if (decision?.file !== architectureItem.value) return <p class="notice">Loading…</p>;
  return <Page decision={decision} />;
}

function Page({ decision }: { decision: Shown }) {
  const heading = useHeadingFocus(decision.file);
  const line = lineIn(architecturePart.value);
  const findings = checks.answer.value?.findings.filter(({ file }) => file === decision.file) ?? [];
  return (
    <article class="decision" aria-labelledby="decision">
      <p class="about">
        <Status decision={decision} />
        {decision.date && <time>{decision.date}</time>}
        {decision.deciders.length > 0 && <span>{decision.deciders.join(", ")}</span>}
        <span class="file">{decision.file}</span>
      </p>
      <h3 id="decision" ref={heading} tabIndex={-1}>
        {decisionTitle(decision)}
      </h3>
      <Relations decision={decision} />
      <Findings findings={findings} />
      <nav class="parts" aria-label="Views of the decision">
        <Link to={decisionAddress(decision.file)} aria-current={line ? undefined : "page"}>
          Text
        </Link>
        <Link
          to={decisionAddress(decision.file, line || 1)}
          aria-current={line ? "page" : undefined}
        >
          Lines
        </Link>
      </nav>
      {line ? (
        <Lines text={decision.text} line={line} />
      ) : (
        <Prose
          text={decision.text}
          isTitled
          resolveLink={(written) =>
            resolveDecisionLink(decision.file, written, decisionsByFile.value)
          }
        />
      )}
    </article>
  );
}

const lineIn = (part: string | undefined): number => Number(/-(\d+)$/.exec(part ?? "")?.[1] ?? 0);

/** The decisions that supersede this one, and its links to others. */
function Relations({ decision: { file, living, links } }: { decision: Shown }) {
  const isInForce = living.length === 1 && living[0] === file;
  return (
    <>
      {!isInForce && (
        <p class="standing">
          {living.length === 0 ? "No decision replaces this one." : "Superseded by "}
          {living.map((successor, index) => (
            <span key={successor}>
              {index > 0 && ", "}
              <DecisionLink file={successor} />
            </span>
          ))}
        </p>
      )}
      {links.length > 0 && (
        <ul class="relations">
          {links.map(({ verb, file: target, text, partial, line }) => (
            <li key={`${line} ${verb} ${text}`}>
              {verb} {target ? <DecisionLink file={target} /> : `${text} (no such record)`}
              {partial && " in part"}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The source of the record, scrolled to a line. */
function Lines({ text, line }: { text: string; line: number }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }, [line]);
  return (
    <div class="lines" ref={frame}>
      {text.split(/\r\n|\r|\n/).map((content, index) => (
        <div
          class="line"
          key={`${index} ${content}`}
          data-number={index + 1}
          aria-current={index + 1 === line ? "location" : undefined}
        >
          {content}
        </div>
      ))}
    </div>
  );
}
