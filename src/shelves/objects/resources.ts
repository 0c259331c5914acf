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

const families = [
  dataFamily("tree", "Workspace Tree", "All objects of a workspace.", (view, asked) =>
    nodesOf(view, undefined, asked),
  ),
  dataFamily(
    "diagnostics",
    "Workspace Diagnostics",
    "What is wrong in a workspace.",
    (view, asked) => diagnosticsOf(view, undefined, asked),
  ),
];

const longestId = 4_096;

const objectFamily: ResourceFamily<ObjectsState> = {
  name: "Object Description",
  title: "Object Description",
  description: "One object with all its fields.",
  mimeType: "application/json",
  uri: "qmdc://object/{id}{?path}",
  read: (uri, state) =>
    asData(uri, async () => {
      const [before = ""] = uri.split("?", 1);
      const id = decoded(before.slice("qmdc://object/".length)).trim();
      if (id === "") throw invalid("id must not be empty");
      if (id.length > longestId) throw invalid(`id must have at most ${longestId} characters`);
      return description(await state.workspaces.at(pathIn(uri)), id);
    }),
};

export const objectResources = [guideFamily, ...families, objectFamily];

function dataFamily(
  noun: string,
  title: string,
  what: string,
  read: (view: View, asked: Asked) => Record<string, unknown>,
): ResourceFamily<ObjectsState> {
  return {
    name: title,
    title,
    description: `${what} Append ?path= with a folder of the workspace, &cursor= with next_cursor.`,
    mimeType: "application/json",
    uri: `qmdc://${noun}{?path,cursor}`,
    list: () => [{ uri: `qmdc://${noun}`, name: title, mimeType: "application/json" }],
    read: (uri, { workspaces }) =>
      asData(uri, async () => {
        const view = await workspaces.at(pathIn(uri));
        return read(view, { limit: 1_000, cursor: parameterIn(uri, "cursor") });
      }),
  };
}

/** A failure of what is served here is an answer like any other, in the shape that tools have. */
async function asData(uri: string, read: () => Promise<Record<string, unknown>>) {
  const said = (data: object) => [
    { uri, mimeType: "application/json", text: JSON.stringify(data, null, 2) },
  ];
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
