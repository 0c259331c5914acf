import type { Context } from "hono";
import type { Catalogue, Entry } from "../../kernel/catalogue.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import type { Library } from "../../kernel/library.ts";
import { nearest } from "../../text/similar-names.ts";
import { dataSchema, qualcoderFailure, qualcoderSuccess } from "../dialects.ts";
import { callFor } from "./calling.ts";
import { asDeclared } from "./casing.ts";
import { readJsonBody } from "./json-body.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import type { PageSessions } from "./page-sessions.ts";
import { parsePath } from "./path-template.ts";
import { statusOf } from "./refusal.ts";
import { refuseUnknown } from "./request-input.ts";
import type { Route } from "./route.ts";
import { asEnding } from "./routes.ts";

/** `GET /tools` and `POST /tools/{name}`: what an agent may call, in the words of one dialect. */
export function toolRoutes(library: Library, pages: PageSessions): Route[] {
  const tools = toolsIn(library.catalogue);
  return [
    {
      method: "GET",
      path: parsePath("/tools"),
      answer: (c) => c.json({ tools: tools.map(describe) }),
    },
    {
      method: "POST",
      path: parsePath("/tools/{name}"),
      async answer(c) {
        const entry = tools.find(({ operation }) => operation.name === c.req.param("name"));
        if (!entry) return fail(c, unknownTool(c.req.param("name") ?? "", tools));
        const ending = await readArguments(c).then(
          (input) => callFor(c, library, pages, entry, input),
          asEnding,
        );
        if (!ending.ok) return fail(c, ending.failure);
        return c.json(qualcoderSuccess(entry.operation, ending.output));
      },
    },
  ];
}

/** A person's yes or no is no tool, even where a definition should say so by mistake. */
const toolsIn = ({ entries }: Catalogue): Entry[] =>
  entries.filter(({ operation }) => operation.expose.mcp && operation.effect !== "decides");

const describe = ({ operation }: Entry) => ({
  name: operation.name,
  title: operation.title,
  description: operation.summary,
  inputSchema: jsonSchemaOf(operation.input.strict(), "input"),
  outputSchema: jsonSchemaOf(dataSchema(operation), "output"),
});

export async function readArguments(c: Context): Promise<unknown> {
  const body = await readJsonBody(c.req.raw);
  refuseUnknown(body, ["arguments"], asDeclared);
  const given = body.arguments ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    throw invalid("'arguments' must be a JSON object.");
  }
  return given;
}

const fail = (c: Context, failure: Failure): Response =>
  c.json(qualcoderFailure(failure), statusOf[failure.kind]);

function unknownTool(name: string, tools: readonly Entry[]): Failure {
  const shown = name.slice(0, 80);
  const near = nearest(
    shown,
    tools.map(({ operation }) => operation.name),
  );
  return new Failure("not-found", "TOOL_NOT_FOUND", `Unknown tool: ${shown}`, {
    hints: [near.length > 0 ? `Did you mean ${near.join(", ")}?` : "GET /tools lists them."],
  });
}
