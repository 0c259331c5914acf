/**
 * The same response; `done` is called once its body has been read to the end or given up, at once
 * where it has none that streams.
 */
export function whenRead(response: Response, done: () => void): Response {
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
