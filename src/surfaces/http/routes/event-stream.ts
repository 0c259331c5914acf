import type { Notice } from "../../../kernel/notices/notices.ts";
import type { App } from "../../../kernel/runtime/app.ts";

/** The event streams of open pages. */
export interface EventStreams {
  /** Opens a stream for a page; undefined if too many are open. */
  open(): ReadableStream<Uint8Array> | undefined;
  openPages(): number;
}

export interface EventStreamOptions {
  heartbeatMs?: number;
  maxPages?: number;
  /** The maximum queue of a slow page. Beyond it the stream is closed, and the page reconnects. */
  maxQueued?: number;
  /** Called with the number of open pages, at each change and each heartbeat. */
  onPages?: (count: number) => void;
}

type PageStream = ReadableStreamDefaultController<Uint8Array>;

/** Sends each notice to every open page, as server-sent events. */
export function createEventStreams(
  app: Pick<App, "subscribe">,
  {
    heartbeatMs = 15_000,
    maxPages = 1_000,
    maxQueued = 256,
    onPages = () => {},
  }: EventStreamOptions = {},
): EventStreams {
  const pages = new Set<PageStream>();
  const encoder = new TextEncoder();
  let stop = (): void => {};

  function start(): void {
    const unsubscribe = app.subscribe((notice) => send(formatEvent(notice)));
    const heartbeat = setInterval(() => {
      send(": still here\n\n");
      onPages(pages.size);
    }, heartbeatMs).unref();
    stop = () => {
      unsubscribe();
      clearInterval(heartbeat);
    };
  }

  function send(text: string): void {
    const bytes = encoder.encode(text);
    for (const page of pages) {
      if ((page.desiredSize ?? 0) > 0) page.enqueue(bytes);
      else {
        remove(page);
        page.close();
      }
    }
  }

  function remove(page: PageStream): void {
    if (!pages.delete(page)) return;
    if (pages.size === 0) stop();
    onPages(pages.size);
  }

  return {
    openPages: () => pages.size,
    open() {
      if (pages.size >= maxPages) return undefined;
      let page: PageStream;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            page = controller;
            if (pages.size === 0) start();
            pages.add(page);
            onPages(pages.size);
            page.enqueue(encoder.encode("retry: 2000\nevent: ready\ndata: {}\n\n"));
          },
          cancel: () => remove(page),
        },
        { highWaterMark: maxQueued },
      );
    },
  };
}

/** JSON.stringify writes no line breaks, so one data line is enough. */
const formatEvent = ({ topic, about }: Notice): string =>
  `event: ${topic}\ndata: ${JSON.stringify({ topic, about: about ?? null })}\n\n`;
