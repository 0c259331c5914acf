import { Failure, invalid } from "../../../kernel/failure.ts";
import type { ResourceFamily } from "../../../kernel/operations/resource.ts";
import { objectsGuide } from "../guide.ts";
import { listDiagnostics } from "../operations/diagnostics.ts";
import { describeReference } from "../operations/lookup.ts";
import { listNodes } from "../operations/overview.ts";
import type { PageRequest } from "../pagination.ts";
import type { ObjectsState } from "../state.ts";
import type { WorkspaceView } from "../workspace/workspace-view.ts";

const guideFamily: ResourceFamily<ObjectsState> = {
  name: "QMDC Agent Guide",
  title: "QMDC Agent Guide",
  description: "Explains the format of objects and when to use which tool.",
  mimeType: "text/markdown",
  uri: "qmdc://guide{?path}",
  list: () => [{ uri: "qmdc://guide", name: "QMDC Agent Guide", mimeType: "text/markdown" }],
  read: (uri) => [{ uri, mimeType: "text/markdown", text: objectsGuide }],
};

/** Resources with data of a workspace. */
interface DataFamily extends ResourceFamily<ObjectsState> {
  /** The current text of a resource. */
  text(uri: string, state: ObjectsState): Promise<string>;
}

const mimeType = "application/json";
const maxIdLength = 4_096;

export const dataResourceFamilies = [
  listFamily("tree", "Workspace Tree", "All objects of a workspace.", (view, page) =>
    listNodes(view, undefined, page),
  ),
  listFamily("diagnostics", "Workspace Diagnostics", "All problems in a workspace.", (view, page) =>
    listDiagnostics(view, undefined, page),
  ),
  dataFamily(
    {
      name: "Object Description",
      description: "One object with all its fields.",
      uri: "qmdc://object/{id}{?path}",
    },
    async (uri, { workspaces }) => {
      const [before = ""] = uri.split("?", 1);
      const id = decodeEscapes(before.slice("qmdc://object/".length)).trim();
      if (id === "") throw invalid("id must not be empty");
      if (id.length > maxIdLength) throw invalid(`id must have at most ${maxIdLength} characters`);
      return describeReference(await workspaces.read(requiredPathParameter(uri)), id);
    },
  ),
];

export const objectResources = [guideFamily, ...dataResourceFamilies];

function listFamily(
  noun: string,
  name: string,
  what: string,
  read: (view: WorkspaceView, page: PageRequest) => Record<string, unknown>,
): DataFamily {
  const about = {
    name,
    description: `${what} Append ?path= with a folder of the workspace and, for the next page, &cursor= with next_cursor.`,
    uri: `qmdc://${noun}{?path,cursor}`,
    list: () => [{ uri: `qmdc://${noun}`, name, mimeType }],
  };
  return dataFamily(about, async (uri, { workspaces }) => {
    const view = await workspaces.read(requiredPathParameter(uri));
    return read(view, { limit: 1_000, cursor: queryParameter(uri, "cursor") });
  });
}

function dataFamily(
  about: Pick<DataFamily, "name" | "description" | "uri" | "list">,
  read: (uri: string, state: ObjectsState) => Promise<Record<string, unknown>>,
): DataFamily {
  const text = (uri: string, state: ObjectsState) => toResponseText(() => read(uri, state));
  const readAndTrack = async (uri: string, state: ObjectsState): Promise<string> => {
    const content = await text(uri, state);
    const path = queryParameter(uri, "path");
    if (path !== undefined) state.watchedResources.track(uri, path, content);
    return content;
  };
  return {
    ...about,
    title: about.name,
    mimeType,
    text,
    read: async (uri, state) => [{ uri, mimeType, text: await readAndTrack(uri, state) }],
    /** Notices use the URI as written. A subscription reads the resource once, to detect changes. */
    async canonical(uri, state) {
      await readAndTrack(uri, state);
      return uri;
    },
  };
}

/** The content of a resource as JSON. A failure is returned as content, in the format of tools. */
async function toResponseText(read: () => Promise<Record<string, unknown>>): Promise<string> {
  const toText = (data: object) => JSON.stringify(data, null, 2);
  try {
    return toText({ success: true, ...(await read()) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return toText({ success: false, error: { code: error.code, message: error.message } });
  }
}

function requiredPathParameter(uri: string): string {
  const path = queryParameter(uri, "path");
  if (path === undefined) throw invalid("missing 'path' (append ?path=<dir> to the resource URI)");
  return path;
}

function queryParameter(uri: string, name: string): string | undefined {
  const at = uri.indexOf("?");
  const parameters = at < 0 ? [] : uri.slice(at + 1).split("&");
  const parameter = parameters.find((parameter) => parameter.startsWith(`${name}=`));
  return parameter === undefined ? undefined : decodeEscapes(parameter.slice(name.length + 1));
}

/** Decodes percent-encoding; invalid escapes are unchanged. */
function decodeEscapes(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
