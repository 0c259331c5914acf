import { pluralise } from "../../src/text/strings/pluralise.ts";
import type { Output } from "../server/client.ts";
import { CheckPanel } from "./check-panel.tsx";
import { RemainingNote } from "./remaining-note.tsx";
import { repositoryPath } from "./repository-address.ts";
import { repositoryCheck } from "./repository-checks.ts";
import { RepositoryFileLink } from "./repository-file-link.tsx";

type Data = Output<"check_documentation_links">["data"];

export function Links() {
  return (
    <CheckPanel of={repositoryCheck("links", repositoryPath.value)} title="Links">
      {({ data }) => (
        <>
          <p class="lead">
            {pluralise(data.summary.totalLinks, "link")},{" "}
            {data.summary.brokenLinks === 0
              ? "none of them broken"
              : `${data.summary.brokenLinks} broken`}
          </p>
          <ol class="findings">
            {data.results.map((link) => (
              <LinkProblem key={`${link.sourceFile}:${link.lineNumber} ${link.url}`} link={link} />
            ))}
          </ol>
          <RemainingNote remaining={data.remaining} what="problem" command="links" />
          <p class="notice">External links are not checked, so nothing is sent to other sites.</p>
        </>
      )}
    </CheckPanel>
  );
}

function LinkProblem({ link }: { link: Data["results"][number] }) {
  const { status, error, suggestion, rule, sourceFile, lineNumber } = link;
  return (
    <li class={status === "broken" ? "error" : "warning"}>
      <p>
        <strong>{status === "broken" ? "Broken" : "Warning"}</strong> {String(error ?? link.url)}{" "}
        {String(suggestion ?? "")}
      </p>
      <p class="about">
        <RepositoryFileLink file={sourceFile} line={lineNumber} />
        {rule !== undefined && <code>{String(rule)}</code>}
      </p>
    </li>
  );
}
