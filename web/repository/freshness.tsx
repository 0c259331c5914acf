import { pluralise } from "../../src/text/strings/pluralise.ts";
import type { Output } from "../server/client.ts";
import { CheckPanel } from "./check-panel.tsx";
import { RemainingNote } from "./remaining-note.tsx";
import { repositoryPath } from "./repository-address.ts";
import { repositoryCheck } from "./repository-checks.ts";
import { RepositoryFileLink } from "./repository-file-link.tsx";

type Data = Output<"track_documentation_freshness">["data"];
type Page = Data["files"][number];

export function Freshness() {
  return (
    <CheckPanel of={repositoryCheck("freshness", repositoryPath.value)} title="Freshness">
      {({ data }) => (
        <>
          <p class="lead">{summaryOf(data)}</p>
          {data.files.length > 0 && <Table files={data.files} />}
          <RemainingNote remaining={data.remaining} what="page" command="freshness" />
        </>
      )}
    </CheckPanel>
  );
}

function summaryOf({ summary }: Data): string {
  const { total = 0, behindCode = 0 } = summary;
  const outdated =
    behindCode === 0 ? "none older than the code" : `${behindCode} older than the code`;
  return `${pluralise(total, "page")}, ${outdated}`;
}

function Table({ files }: Pick<Data, "files">) {
  return (
    <table>
      <caption class="unseen">Age of the pages</caption>
      <thead>
        <tr>
          <th scope="col">Page</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Age in days
          </th>
          <th scope="col">Newer code</th>
        </tr>
      </thead>
      <tbody>
        {files.map((page) => (
          <tr key={page.file}>
            <th scope="row">
              <RepositoryFileLink file={page.file} />
            </th>
            <td class={`staleness ${page.staleness}`}>{page.staleness}</td>
            <td class="number">{Math.round(page.ageDays)}</td>
            <td>{newerCode(page)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The schema types only a part of the answer, to keep the tool list short. */
const newerCode = ({ behindCode }: Page): string =>
  (behindCode as { file: string } | undefined)?.file ?? "";
