import type { Context } from "hono";
import { Failure, invalid } from "../../../kernel/failure.ts";
import type { Catalogue, CatalogueEntry } from "../../../kernel/operations/catalogue.ts";
import type { App } from "../../../kernel/runtime/app.ts";
import { similarNames } from "../../../text/strings/similar-names.ts";
import { dataSchema, qualcoderFailure, qualcoderSuccess } from "../../dialects.ts";
import type { PageSessions } from "../auth/page-sessions.ts";
import { jsonSchemaOf } from "../openapi/json-schema.ts";
import { readJsonBody } from "../requests/json-body.ts";
import { assertKnownKeys } from "../requests/request-input.ts";
import { httpStatusByKind } from "./error-response.ts";
import { callForRequest } from "./operation-call.ts";
import { toCallResult } from "./operation-routes.ts";
import { parsePath } from "./path-template.ts";
import type { Route } from "./route.ts";

/** `GET /tools` and `POST /tools/{name}`: the tools of all shelves in the qualcoder format. */
export function toolRoutes(app: App, pages: PageSessions): Route[] {
  const tools = toolEntries(app.catalogue);
  return [
    {
      method: "GET",
      path: parsePath("/tools"),
      answer: (c) => c.json({ tools: tools.map(describeTool) }),
    },
    {
      method: "POST",
      path: parsePath("/tools/{name}"),
      async answer(c) {
        const entry = tools.find(({ operation }) => operation.name === c.req.param("name"));
        if (!entry) return toolFailureResponse(c, unknownTool(c.req.param("name") ?? "", tools));
        const result = await readToolArguments(c).then(
          (input) => callForRequest(c, app, pages, entry, input),
          toCallResult,
        );
        if (!result.ok) return toolFailureResponse(c, result.failure);
        return c.json(qualcoderSuccess(entry.operation, result.output));
      },
    },
  ];
}

/** An operation that only a person may call is never a tool, even if its definition exposes one. */
const toolEntries = ({ entries }: Catalogue): CatalogueEntry[] =>
  entries.filter(({ operation }) => operation.expose.mcp && operation.effect !== "decides");

const describeTool = ({ operation }: CatalogueEntry) => ({
  name: operation.name,
  title: operation.title,
  description: operation.summary,
  inputSchema: jsonSchemaOf(operation.input.strict(), "input"),
  outputSchema: jsonSchemaOf(dataSchema(operation), "output"),
});

export async function readToolArguments(c: Context): Promise<unknown> {
  const body = await readJsonBody(c.req.raw);
  assertKnownKeys(body, ["arguments"]);
  const toolArguments = body.arguments ?? {};
  if (typeof toolArguments !== "object" || Array.isArray(toolArguments)) {
    throw invalid("'arguments' must be a JSON object.");
  }
  return toolArguments;
}

const toolFailureResponse = (c: Context, failure: Failure): Response =>
  c.json(qualcoderFailure(failure), httpStatusByKind[failure.kind]);

function unknownTool(name: string, tools: readonly CatalogueEntry[]): Failure {
  const shown = name.slice(0, 80);
  const similar = similarNames(
    shown,
    tools.map(({ operation }) => operation.name),
  );
  return new Failure("not-found", "TOOL_NOT_FOUND", `Unknown tool: ${shown}`, {
    hints: [similar.length > 0 ? `Did you mean ${similar.join(", ")}?` : "GET /tools lists them."],
  });
}
