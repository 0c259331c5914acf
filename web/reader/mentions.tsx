import { counted } from "../../src/text/counted.ts";
import { addressWith } from "../address.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { Link } from "../link.tsx";
import { openDocument } from "./open-document.ts";
import { shown } from "./shown.ts";

const asked = asking((signal) => {
  const file = openDocument.value?.file;
  if (!file || shown.value?.isPreview) return undefined;
  return call("backlinks", { file }, signal).then((answer) => ({ file, ...answer }));
});

/** What links to the open document. */
export function Mentions() {
  const { file, links = [], remaining = 0 } = asked.answer.value ?? {};
  if (file !== openDocument.value?.file || links.length === 0) return null;
  return (
    <section class="mentions" aria-labelledby="mentions">
      <h3 id="mentions">Mentioned in {counted(links.length + remaining, "document")}</h3>
      <ul>
        {links.map(({ file, title, line, text }) => (
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
