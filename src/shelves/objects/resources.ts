import { Failure, invalid } from "../../kernel/failure.ts";
import type { ResourceFamily } from "../../kernel/resource.ts";
import { guide } from "./guide.ts";
import { diagnosticsOf } from "./operations/diagnostics.ts";
import { description } from "./operations/finding.ts";
import { nodesOf } from "./operations/overview.ts";
import type { Asked } from "./page.ts";
import type { ObjectsState } from "./state.ts";
import type { View } from "./view.ts";

const guideFamily: ResourceFamily<ObjectsState> = {
  name: "QMDC Agent Guide",
  title: "QMDC Agent Guide",
  description: "How objects are written, and which tool answers which question.",
  mimeType: "text/markdown",
  uri: "qmdc://guide{?path}",
  list: () => [{ uri: "qmdc://guide", name: "QMDC Agent Guide", mimeType: "text/markdown" }],
  read: (uri) => [{ uri, mimeType: "text/markdown", text: guide }],
};

/** Resources that are data about a workspace. */
interface DataFamily extends ResourceFamily<ObjectsState> {
  /** What a resource says now. */
  text(uri: string, state: ObjectsState): Promise<string>;
}

const mimeType = "application/json";
const longestId = 4_096;

export const dataFamilies = [
  listFamily("tree", "Workspace Tree", "All objects of a workspace.", (view, asked) =>
    nodesOf(view, undefined, asked),
  ),
  listFamily(
    "diagnostics",
    "Workspace Diagnostics",
    "What is wrong in a workspace.",
    (view, asked) => diagnosticsOf(view, undefined, asked),
  ),
  dataFamily(
    {
      name: "Object Description",
      description: "One object with all its fields.",
      uri: "qmdc://object/{id}{?path}",
    },
    async (uri, { workspaces }) => {
      const [before = ""] = uri.split("?", 1);
      const id = decoded(before.slice("qmdc://object/".length)).trim();
      if (id === "") throw invalid("id must not be empty");
      if (id.length > longestId) throw invalid(`id must have at most ${longestId} characters`);
      return description(await workspaces.at(pathIn(uri)), id);
    },
  ),
];

export const objectResources = [guideFamily, ...dataFamilies];

function listFamily(
  noun: string,
  name: string,
  what: string,
  read: (view: View, asked: Asked) => Record<string, unknown>,
): DataFamily {
  const about = {
    name,
    description: `${what} Append ?path= with a folder of the workspace, &cursor= with next_cursor.`,
    uri: `qmdc://${noun}{?path,cursor}`,
    list: () => [{ uri: `qmdc://${noun}`, name, mimeType }],
  };
  return dataFamily(about, async (uri, { workspaces }) => {
    const view = await workspaces.at(pathIn(uri));
    return read(view, { limit: 1_000, cursor: parameterIn(uri, "cursor") });
  });
}

function dataFamily(
  about: Pick<DataFamily, "name" | "description" | "uri" | "list">,
  read: (uri: string, state: ObjectsState) => Promise<Record<string, unknown>>,
): DataFamily {
  const text = (uri: string, state: ObjectsState) => asText(() => read(uri, state));
  const noted = async (uri: string, state: ObjectsState): Promise<string> => {
    const said = await text(uri, state);
    const path = parameterIn(uri, "path");
    if (path !== undefined) state.heard.note(uri, path, said);
    return said;
  };
  return {
    ...about,
    title: about.name,
    mimeType,
    text,
    read: async (uri, state) => [{ uri, mimeType, text: await noted(uri, state) }],
    /** Changes are told by the URI as it was written; who asks for that wants to hear of them. */
    async canonical(uri, state) {
      await noted(uri, state);
      return uri;
    },
  };
}

/** A failure of what is served here is an answer like any other, in the shape that tools have. */
async function asText(read: () => Promise<Record<string, unknown>>): Promise<string> {
  const said = (data: object) => JSON.stringify(data, null, 2);
  try {
    return said({ success: true, ...(await read()) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return said({ success: false, error: { code: error.code, message: error.message } });
  }
}

function pathIn(uri: string): string {
  const path = parameterIn(uri, "path");
  if (path === undefined) throw invalid("missing 'path' (append ?path=<dir> to the resource URI)");
  return path;
}

function parameterIn(uri: string, name: string): string | undefined {
  const at = uri.indexOf("?");
  const parameters = at < 0 ? [] : uri.slice(at + 1).split("&");
  const given = parameters.find((parameter) => parameter.startsWith(`${name}=`));
  return given === undefined ? undefined : decoded(given.slice(name.length + 1));
}

/** What is no escape stays as it is. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
