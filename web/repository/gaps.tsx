import { pluralise } from "../../src/text/strings/pluralise.ts";
import type { Output } from "../server/client.ts";
import { CheckPanel } from "./check-panel.tsx";
import { RemainingNote } from "./remaining-note.tsx";
import { repositoryPath } from "./repository-address.ts";
import { filePartOf, linePartOf, repositoryCheck } from "./repository-checks.ts";
import { RepositoryFileLink } from "./repository-file-link.tsx";

type Data = Output<"detect_documentation_gaps">["data"];

export function Gaps() {
  return (
    <CheckPanel of={repositoryCheck("gaps", repositoryPath.value)} title="Gaps">
      {({ data }) => (
        <>
          <p class="lead">
            {data.gaps.length === 0
              ? "Every public symbol is documented."
              : `${pluralise(data.total, "undocumented symbol")}`}
            <span class="score">Score {data.overallScore} of 100</span>
          </p>
          <MissingKinds data={data} />
          {data.gaps.length > 0 && <Table gaps={data.gaps} />}
          <RemainingNote remaining={data.remaining} what="gap" command="gaps" />
        </>
      )}
    </CheckPanel>
  );
}

function MissingKinds({ data }: { data: Data }) {
  // The schema types only a part of the answer, to keep the tool list short.
  const missing = (data.missingStructure ?? []) as string[];
  if (missing.length === 0) return null;
  return <p class="notice">Missing kinds of pages: {missing.join(", ")}.</p>;
}

function Table({ gaps }: Pick<Data, "gaps">) {
  return (
    <table>
      <caption class="unseen">Undocumented symbols</caption>
      <thead>
        <tr>
          <th scope="col">Symbol</th>
          <th scope="col">Defined in</th>
          <th scope="col">Suggested page</th>
          <th scope="col">Priority</th>
        </tr>
      </thead>
      <tbody>
        {gaps.map(({ symbol, relatedCode, page, priority, signature }) => (
          <tr key={`${relatedCode} ${symbol}`}>
            <th scope="row">
              <code title={String(signature ?? "")}>{symbol}</code>
            </th>
            <td>
              <RepositoryFileLink file={filePartOf(relatedCode)} line={linePartOf(relatedCode)} />
            </td>
            <td>
              <RepositoryFileLink file={page} />
            </td>
            <td class={`priority ${priority}`}>{priority}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
