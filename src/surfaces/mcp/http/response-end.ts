/**
 * Calls `done` once when the body of a response has been read or cancelled; immediately if it is not
 * an event stream.
 */
export function onBodyEnd(response: Response, done: () => void): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!response.body || !isStream) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  let ended = false;
  const end = (): void => {
    if (!ended) done();
    ended = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: last, value } = await reader.read();
        if (value) controller.enqueue(value);
        if (!last) return;
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
