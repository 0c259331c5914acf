import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { editableInputOf } from "./editable-input.ts";
import { excerptOf, type PassageExcerpt, passagesIn } from "./proposal-passages.ts";
import { currentProposal } from "./review-queue.ts";

/** The maximum number of passages shown of a proposal. */
export const maxExcerpts = 20;

/** The passages of the current proposal; undefined if its project is not open. */
export const passageExcerpts = createLiveQuery(async (signal) => {
  const proposal = currentProposal.value;
  if (!proposal) return undefined;
  const passages = passagesIn(editableInputOf(proposal.input)).slice(0, maxExcerpts);
  if (passages.length === 0) return undefined;
  const { project_path } = await call("get_project_context", {}, signal);
  if (project_path === undefined || project_path !== proposal.input.project) return undefined;
  const { codes } = await call("list_codes", {}, signal);
  const names = new Map(codes.map(({ id, name }) => [id, name]));
  const texts = new Map<number, ReturnType<typeof readText>>();
  const textOf = (source_id: number) => {
    const text = texts.get(source_id) ?? readText(source_id, signal);
    texts.set(source_id, text);
    return text;
  };
  const excerpts = await Promise.all(
    passages.map(async (passage): Promise<PassageExcerpt> => {
      const text = await textOf(passage.source_id);
      const code = passage.code_id === undefined ? undefined : names.get(passage.code_id);
      const { source_id } = passage;
      const source = text?.source_name ?? `source ${source_id}`;
      return { source_id, source, code, ...excerptOf(text?.codePoints ?? [], passage) };
    }),
  );
  return { id: proposal.id, excerpts, codes };
});

const wholeTextLength = 1_000_000_000;

/** Undefined if the source cannot be read, so that the other passages are still shown. */
const readText = (source_id: number, signal: AbortSignal) =>
  call("read_source_content", { source_id, max_length: wholeTextLength }, signal).then(
    ({ source_name, content }) => ({ source_name, codePoints: [...content] }),
    () => undefined,
  );
