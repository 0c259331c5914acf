import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { editableIn } from "./fields.ts";
import { found, passagesIn, type Seen } from "./passages.ts";
import { current } from "./queue.ts";

/** As many as are shown of a proposal that speaks of more. */
export const mostSeen = 20;

/** The passages of the looked-at proposal; nothing where its project is not open here. */
export const seenPassages = asking(async (signal) => {
  const proposal = current.value;
  if (!proposal) return undefined;
  const passages = passagesIn(editableIn(proposal.input)).slice(0, mostSeen);
  if (passages.length === 0) return undefined;
  const { project_path } = await call("get_project_context", {}, signal);
  if (project_path === undefined || project_path !== proposal.input.project) return undefined;
  const { codes } = await call("list_codes", {}, signal);
  const names = new Map(codes.map(({ id, name }) => [id, name]));
  const texts = new Map<number, Promise<{ source_name: string; letters: string[] } | undefined>>();
  const textOf = (source_id: number) => {
    const known = texts.get(source_id) ?? read(source_id, signal);
    texts.set(source_id, known);
    return known;
  };
  const seen = await Promise.all(
    passages.map(async (passage): Promise<Seen> => {
      const text = await textOf(passage.source_id);
      const code = passage.code_id === undefined ? undefined : names.get(passage.code_id);
      const { source_id } = passage;
      const source = text?.source_name ?? `source ${source_id}`;
      return { source_id, source, code, ...found(text?.letters ?? [], passage) };
    }),
  );
  return { id: proposal.id, seen, codes };
});

const everything = 1_000_000_000;

/** A text that is gone does not hide the others. */
const read = (source_id: number, signal: AbortSignal) =>
  call("read_source_content", { source_id, max_length: everything }, signal).then(
    ({ source_name, content }) => ({ source_name, letters: [...content] }),
    () => undefined,
  );
