import type { Context } from "hono";
import type { CallOptions } from "../../kernel/call.ts";
import type { Library } from "../../kernel/library.ts";
import { callFor, type Ending } from "./calling.ts";
import type { PageSessions } from "./page-sessions.ts";
import { parsePath } from "./path-template.ts";
import { refuse, refuseFailure, statusOf } from "./refusal.ts";
import type { Route } from "./route.ts";
import { readArguments } from "./tools.ts";

/**
 * `POST /page/{name}`: how the web app calls, by an operation's own name and keys. What a person
 * alone may do is served here too, because only the page itself has the credential.
 *
 * Whoever accepts lines of JSON hears how far long work has come, and the answer as the last line:
 *
 * ```
 * {"progress":{"done":40,"total":312,"message":"Reading files"}}
 * {"data":{…}}
 * ```
 */
export const pageRoute = (library: Library, pages: PageSessions): Route => ({
  method: "POST",
  path: parsePath("/page/{name}"),
  async answer(c) {
    if (!pages.isShownBy(c)) {
      return refuse(
        c,
        403,
        "Only the page of the web app calls this. Load it anew, or open it by the link that 'lectern page-link' prints.",
      );
    }
    const entry = library.catalogue.find(c.req.param("name") ?? "");
    if (!entry) return refuse(c, 404, "There is no such operation on this server.");
    const input = await readArguments(c);
    const run = (options?: Progressing) => callFor(c, library, pages, entry, input, options);
    if (c.req.header("accept") === linesOfJson) return answerInLines(c, run);
    const ending = await run();
    return ending.ok ? c.json({ data: ending.output }) : refuseFailure(c, ending.failure);
  },
});

const linesOfJson = "application/x-ndjson";

type Progressing = Pick<CallOptions, "signal" | "onProgress">;

/** More often than this nobody can read it. */
const leastMsBetween = 100;

/** Whoever stops reading stops the work. */
function answerInLines(c: Context, run: (options: Progressing) => Promise<Ending>): Response {
  const left = new AbortController();
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      let said = 0;
      const say = (line: object): void => {
        if (left.signal.aborted) return;
        said = performance.now();
        controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      say({ progress: { done: 0 } });
      const ending = await run({
        signal: AbortSignal.any([left.signal, c.req.raw.signal]),
        onProgress(done, total, message) {
          if (performance.now() - said >= leastMsBetween)
            say({ progress: { done, total, message } });
        },
      });
      if (ending.ok) say({ data: ending.output });
      else {
        const { kind, explanation } = ending.failure;
        say({ detail: explanation, status_code: statusOf[kind] });
      }
      if (!left.signal.aborted) controller.close();
    },
    cancel: () => left.abort(),
  });
  return c.body(stream, 200, { "content-type": linesOfJson, "cache-control": "no-store" });
}
