import { counted } from "../../src/text/counted.ts";
import { addressWith } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { Link } from "../link.tsx";
import { documentIn, fileIn } from "../workspace-files.ts";
import { workspace } from "./objects.ts";
import { openDocument } from "./open-document.ts";
import { shown } from "./shown.ts";

type Mention = Output<"backlinks">["links"][number];

const linked = asking((signal) => {
  const file = openDocument.value?.file;
  if (!file || shown.value?.isPreview) return undefined;
  return call("backlinks", { file }, signal).then((answer) => ({ file, ...answer }));
});

/** Who speaks of an object of this document in another one, by references instead of links. */
const spoken = asking(async (signal) => {
  const file = openDocument.value?.file;
  const here = workspace.value;
  const own = file && here && fileIn(here.collections, file);
  if (!own || shown.value?.isPreview) return undefined;
  const sql = `SELECT s.__file AS file, s.__label AS label, s.__id AS id, min(s.__line) AS line,
      group_concat(DISTINCT t.__id) AS names
    FROM edges e
    JOIN objects s ON s.__global_id = e.source_id
    JOIN objects t ON t.__global_id = e.target_id
    WHERE t.__file = '${own.replaceAll("'", "''")}' AND s.__file <> t.__file
    GROUP BY s.__file ORDER BY s.__file`;
  const { items } = await call("qmdc_query_sql", { path: here.path, sql, limit: 50 }, signal);
  const mentions = items.flatMap(({ file: there, label, id, line, names }): Mention[] => {
    const document = documentIn(here.collections, String(there));
    const text = `Speaks of ${String(names).replaceAll(",", ", ")}`;
    return document
      ? [{ file: document, title: String(label ?? id), line: Number(line), text }]
      : [];
  });
  return { file, mentions };
});

/** What links to the open document, and what speaks of its objects. */
export function Mentions() {
  const file = openDocument.value?.file;
  const { links = [], remaining = 0 } = answerFor(file, linked.answer.value) ?? {};
  const { mentions = [] } = answerFor(file, spoken.answer.value) ?? {};
  const known = new Set(links.map((link) => link.file));
  const all = [...links, ...mentions.filter((mention) => !known.has(mention.file))];
  if (all.length === 0) return null;
  return (
    <section class="mentions" aria-labelledby="mentions">
      <h3 id="mentions">Mentioned in {counted(all.length + remaining, "document")}</h3>
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

/** The answer while it is still that of this document. */
const answerFor = <Answer extends { file: string }>(
  file: string | undefined,
  answer: Answer | undefined,
): Answer | undefined => (answer?.file === file ? answer : undefined);
