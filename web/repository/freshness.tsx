import { counted } from "../../src/text/counted.ts";
import type { Output } from "../client.ts";
import { FileLine } from "./file-line.tsx";
import { Look } from "./look.tsx";
import { lookAt } from "./looks.ts";
import { More } from "./more.tsx";
import { path } from "./place.ts";

type Data = Output<"track_documentation_freshness">["data"];
type Page = Data["files"][number];

export function Freshness() {
  return (
    <Look of={lookAt("freshness", path.value)} title="Freshness">
      {({ data }) => (
        <>
          <p class="lead">{summaryOf(data)}</p>
          {data.files.length > 0 && <Table files={data.files} />}
          <More remaining={data.remaining} what="page" command="freshness" />
        </>
      )}
    </Look>
  );
}

function summaryOf({ summary }: Data): string {
  const { total = 0, behindCode = 0 } = summary;
  const overtaken =
    behindCode === 0 ? "none overtaken by the code" : `${behindCode} overtaken by the code`;
  return `${counted(total, "page")}, ${overtaken}`;
}

function Table({ files }: Pick<Data, "files">) {
  return (
    <table>
      <caption class="unseen">How long ago pages were changed</caption>
      <thead>
        <tr>
          <th scope="col">Page</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Days
          </th>
          <th scope="col">Overtaken by</th>
        </tr>
      </thead>
      <tbody>
        {files.map((page) => (
          <tr key={page.file}>
            <th scope="row">
              <FileLine file={page.file} />
            </th>
            <td class={`staleness ${page.staleness}`}>{page.staleness}</td>
            <td class="number">{Math.round(page.ageDays)}</td>
            <td>{overtakenBy(page)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The schema says less than the answer holds, to spare an agent's budget. */
const overtakenBy = ({ behindCode }: Page): string =>
  (behindCode as { file: string } | undefined)?.file ?? "";
