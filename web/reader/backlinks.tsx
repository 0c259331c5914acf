import { pluralise } from "../../src/text/strings/pluralise.ts";
import { addressWith } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { documentIn, fileIn } from "../objects/workspace-files.ts";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { documentWorkspace } from "./object-links.ts";
import { openDocument } from "./open-document.ts";
import { readerTarget } from "./reader-target.ts";

type Backlink = Output<"backlinks">["links"][number];

const linked = createLiveQuery((signal) => {
  const file = openDocument.value?.file;
  if (!file || readerTarget.value?.isPreview) return undefined;
  return call("backlinks", { file }, signal).then((answer) => ({ file, ...answer }));
});

/** Documents that refer to objects of this document by `[[#references]]` instead of links. */
const objectMentions = createLiveQuery(async (signal) => {
  const file = openDocument.value?.file;
  const workspace = documentWorkspace.value;
  const workspaceFile = file && workspace && fileIn(workspace.collections, file);
  if (!workspaceFile || readerTarget.value?.isPreview) return undefined;
  const sql = `SELECT s.__file AS file, s.__label AS label, s.__id AS id, min(s.__line) AS line,
      group_concat(DISTINCT t.__id) AS names
    FROM edges e
    JOIN objects s ON s.__global_id = e.source_id
    JOIN objects t ON t.__global_id = e.target_id
    WHERE t.__file = '${workspaceFile.replaceAll("'", "''")}' AND s.__file <> t.__file
    GROUP BY s.__file ORDER BY s.__file`;
  const { items } = await call("qmdc_query_sql", { path: workspace.path, sql, limit: 50 }, signal);
  const mentions = items.flatMap(({ file: source, label, id, line, names }): Backlink[] => {
    const document = documentIn(workspace.collections, String(source));
    const text = `Refers to ${String(names).replaceAll(",", ", ")}`;
    return document
      ? [{ file: document, title: String(label ?? id), line: Number(line), text }]
      : [];
  });
  return { file, mentions };
});

/** The documents that link to the open document or refer to its objects. */
export function Backlinks() {
  const file = openDocument.value?.file;
  const { links = [], remaining = 0 } = answerFor(file, linked.answer.value) ?? {};
  const { mentions = [] } = answerFor(file, objectMentions.answer.value) ?? {};
  const known = new Set(links.map((link) => link.file));
  const all = [...links, ...mentions.filter((mention) => !known.has(mention.file))];
  if (all.length === 0) return null;
  return (
    <section class="mentions" aria-labelledby="mentions">
      <h3 id="mentions">Mentioned in {pluralise(all.length + remaining, "document")}</h3>
      <ul>
        {all.map(({ file, title, line, text }) => (
          <li key={file}>
            <Link to={addressWith({ file, line })}>{title}</Link>
            <span class="file">
              {file}:{line}
            </span>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {remaining > 0 && <p class="notice">… and {remaining} more.</p>}
    </section>
  );
}

/** The answer, unless it is still that of the previous document. */
const answerFor = <Answer extends { file: string }>(
  file: string | undefined,
  answer: Answer | undefined,
): Answer | undefined => (answer?.file === file ? answer : undefined);
