import type { Context } from "hono";
import type { CallOptions } from "../../../kernel/call.ts";
import type { App } from "../../../kernel/runtime/app.ts";
import type { PageSessions } from "../auth/page-sessions.ts";
import { errorResponse, failureResponse, httpStatusByKind } from "./error-response.ts";
import { type CallResult, callForRequest } from "./operation-call.ts";
import { parsePath } from "./path-template.ts";
import type { Route } from "./route.ts";
import { readToolArguments } from "./tool-routes.ts";

/**
 * `POST /page/{name}`: calls an operation from the web app, with the declared spelling of its keys.
 * It also serves operations that only a person may call, because only the page has the credential.
 *
 * A request that accepts NDJSON receives progress reports, then the result as the last line:
 *
 * ```
 * {"progress":{"done":40,"total":312,"message":"Reading files"}}
 * {"data":{…}}
 * ```
 */
export const pageRoute = (app: App, pages: PageSessions): Route => ({
  method: "POST",
  path: parsePath("/page/{name}"),
  async answer(c) {
    if (!pages.isFromPage(c)) {
      return errorResponse(
        c,
        403,
        "Only the web app may call this. Reload its page, or open the link that 'lectern page-link' prints.",
      );
    }
    const entry = app.catalogue.find(c.req.param("name") ?? "");
    if (!entry) return errorResponse(c, 404, "This server has no such operation.");
    const input = await readToolArguments(c);
    const run = (options?: ProgressOptions) => callForRequest(c, app, pages, entry, input, options);
    if (c.req.header("accept") === ndjsonType) return answerAsJsonLines(c, run);
    const result = await run();
    return result.ok ? c.json({ data: result.output }) : failureResponse(c, result.failure);
  },
});

const ndjsonType = "application/x-ndjson";

type ProgressOptions = Pick<CallOptions, "signal" | "onProgress">;

/** The minimum interval between progress reports. */
const progressThrottleMs = 100;

/** Cancels the operation when the client stops reading. */
function answerAsJsonLines(
  c: Context,
  run: (options: ProgressOptions) => Promise<CallResult>,
): Response {
  const disconnected = new AbortController();
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      let lastSent = 0;
      const send = (line: object): void => {
        if (disconnected.signal.aborted) return;
        lastSent = performance.now();
        controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      send({ progress: { done: 0 } });
      const result = await run({
        signal: AbortSignal.any([disconnected.signal, c.req.raw.signal]),
        onProgress(done, total, message) {
          if (performance.now() - lastSent >= progressThrottleMs)
            send({ progress: { done, total, message } });
        },
      });
      if (result.ok) send({ data: result.output });
      else {
        const { kind, explanation } = result.failure;
        send({ detail: explanation, status_code: httpStatusByKind[kind] });
      }
      if (!disconnected.signal.aborted) controller.close();
    },
    cancel: () => disconnected.abort(),
  });
  return c.body(stream, 200, { "content-type": ndjsonType, "cache-control": "no-store" });
}
