import { pluralise } from "../../src/text/strings/pluralise.ts";
import type { Output } from "../server/client.ts";
import { CheckPanel } from "./check-panel.tsx";
import { RemainingNote } from "./remaining-note.tsx";
import { repositoryPath } from "./repository-address.ts";
import { repositoryCheck } from "./repository-checks.ts";
import { RepositoryFileLink } from "./repository-file-link.tsx";

type Page = Output<"documentation_map">["data"]["pages"][number];

/** The four kinds of pages of Diátaxis. */
const kinds = [
  ["tutorial", "Tutorials", "Lessons for newcomers."],
  ["how-to", "How-to guides", "Steps to reach a goal."],
  ["reference", "Reference", "Facts to look up."],
  ["explanation", "Explanation", "Background and reasons."],
  ["unknown", "Unclassified", "Pages of no clear kind."],
] as const;

export function DocumentationMap() {
  return (
    <CheckPanel of={repositoryCheck("map", repositoryPath.value)} title="Documentation map">
      {({ data }) => (
        <>
          <p class="lead">{pluralise(data.total, "page")}</p>
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
          <RemainingNote remaining={data.remaining} what="page" command="map" />
        </>
      )}
    </CheckPanel>
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
            <RepositoryFileLink file={file} />
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
