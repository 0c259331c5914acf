import { counted } from "../../src/text/counted.ts";
import type { Output } from "../client.ts";
import { FileLine } from "./file-line.tsx";
import { Look } from "./look.tsx";
import { lookAt } from "./looks.ts";
import { More } from "./more.tsx";
import { path } from "./place.ts";

type Data = Output<"check_documentation_links">["data"];

export function Links() {
  return (
    <Look of={lookAt("links", path.value)} title="Links">
      {({ data }) => (
        <>
          <p class="lead">
            {counted(data.summary.totalLinks, "link")},{" "}
            {data.summary.brokenLinks === 0
              ? "none of them broken"
              : `${data.summary.brokenLinks} broken`}
          </p>
          <ol class="findings">
            {data.results.map((link) => (
              <Found key={`${link.sourceFile}:${link.lineNumber} ${link.url}`} link={link} />
            ))}
          </ol>
          <More remaining={data.remaining} what="problem" command="links" />
          <p class="notice">Links to other sites are left alone: nothing is sent from here.</p>
        </>
      )}
    </Look>
  );
}

function Found({ link }: { link: Data["results"][number] }) {
  const { status, error, suggestion, rule, sourceFile, lineNumber } = link;
  return (
    <li class={status === "broken" ? "error" : "warning"}>
      <p>
        <strong>{status === "broken" ? "Broken" : "Warning"}</strong> {String(error ?? link.url)}{" "}
        {String(suggestion ?? "")}
      </p>
      <p class="about">
        <FileLine file={sourceFile} line={lineNumber} />
        {rule !== undefined && <code>{String(rule)}</code>}
      </p>
    </li>
  );
}
