import { counted } from "../../src/text/counted.ts";
import type { Output } from "../client.ts";
import { FileLine } from "./file-line.tsx";
import { Look } from "./look.tsx";
import { fileOf, lineOf, lookAt } from "./looks.ts";
import { More } from "./more.tsx";
import { path } from "./place.ts";

type Data = Output<"detect_documentation_gaps">["data"];

export function Gaps() {
  return (
    <Look of={lookAt("gaps", path.value)} title="Gaps">
      {({ data }) => (
        <>
          <p class="lead">
            {data.gaps.length === 0
              ? "Everything that the code offers is spoken of."
              : `${counted(data.total, "symbol")} that no page speaks of`}
            <span class="score">Score {data.overallScore} of 100</span>
          </p>
          <MissingKinds data={data} />
          {data.gaps.length > 0 && <Table gaps={data.gaps} />}
          <More remaining={data.remaining} what="gap" command="gaps" />
        </>
      )}
    </Look>
  );
}

function MissingKinds({ data }: { data: Data }) {
  // The schema says less than the answer holds, to spare an agent's budget.
  const missing = (data.missingStructure ?? []) as string[];
  if (missing.length === 0) return null;
  return <p class="notice">There is no page yet of the kind {missing.join(", ")}.</p>;
}

function Table({ gaps }: Pick<Data, "gaps">) {
  return (
    <table>
      <caption class="unseen">What is not documented</caption>
      <thead>
        <tr>
          <th scope="col">Symbol</th>
          <th scope="col">Stands in</th>
          <th scope="col">Belongs on</th>
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
              <FileLine file={fileOf(relatedCode)} line={lineOf(relatedCode)} />
            </td>
            <td>
              <FileLine file={page} />
            </td>
            <td class={`priority ${priority}`}>{priority}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
