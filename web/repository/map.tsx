import { counted } from "../../src/text/counted.ts";
import type { Output } from "../client.ts";
import { FileLine } from "./file-line.tsx";
import { Look } from "./look.tsx";
import { lookAt } from "./looks.ts";
import { More } from "./more.tsx";
import { path } from "./place.ts";

type Page = Output<"documentation_map">["data"]["pages"][number];

/** The four kinds of pages, and what each is for. */
const kinds = [
  ["tutorial", "Tutorials", "A first lesson, led by the hand."],
  ["how-to", "How-to guides", "Steps to an end that the reader has."],
  ["reference", "Reference", "What there is, to be looked up."],
  ["explanation", "Explanation", "Why it is so, to be understood."],
  ["unknown", "Of no clear kind", "Nothing on these pages says what they are for."],
] as const;

export function DocumentationMap() {
  return (
    <Look of={lookAt("map", path.value)} title="Documentation map">
      {({ data }) => (
        <>
          <p class="lead">{counted(data.total, "page")}</p>
          <div class="map">
            {kinds.map(([kind, title, purpose]) => (
              <Kind
                key={kind}
                kind={kind}
                title={title}
                purpose={purpose}
                count={data.kinds[kind] ?? 0}
                pages={data.pages.filter(({ type }) => type === kind)}
              />
            ))}
          </div>
          <More remaining={data.remaining} what="page" command="map" />
        </>
      )}
    </Look>
  );
}

interface KindProps {
  kind: string;
  title: string;
  purpose: string;
  count: number;
  pages: readonly Page[];
}

function Kind({ kind, title, purpose, count, pages }: KindProps) {
  const id = `kind-${kind}`;
  if (kind === "unknown" && count === 0) return null;
  return (
    <section class={kind} aria-labelledby={id}>
      <h4 id={id}>
        {title} <span class="amount">{count}</span>
      </h4>
      <p class="purpose">{purpose}</p>
      {count === 0 && <p class="none">None yet.</p>}
      <ul>
        {pages.map(({ file, title: name, evidence }) => (
          <li key={file}>
            <FileLine file={file} />
            <span class="about">
              {name}
              {evidence[0] && ` · ${evidence[0]}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
