import type { Library } from "../../kernel/library.ts";
import type { Notice } from "../../kernel/notices.ts";

/** Open pages and what they are told. */
export interface Events {
  /** A stream for one page; none where too many are open. */
  open(): ReadableStream<Uint8Array> | undefined;
  openPages(): number;
}

export interface EventOptions {
  beatMs?: number;
  mostPages?: number;
  /** How far a page may lag behind before its stream ends; it connects again and asks anew. */
  mostWaiting?: number;
  /** Told how many pages are open, at each change and each beat. */
  onPages?: (count: number) => void;
}

type Page = ReadableStreamDefaultController<Uint8Array>;

/** Sends each notice of the library to every open page, as server-sent events. */
export function makeEvents(
  library: Pick<Library, "subscribe">,
  { beatMs = 15_000, mostPages = 1_000, mostWaiting = 256, onPages = () => {} }: EventOptions = {},
): Events {
  const pages = new Set<Page>();
  const encoder = new TextEncoder();
  let stop = (): void => {};

  function start(): void {
    const unsubscribe = library.subscribe((notice) => send(eventOf(notice)));
    const beat = setInterval(() => {
      send(": still here\n\n");
      onPages(pages.size);
    }, beatMs).unref();
    stop = () => {
      unsubscribe();
      clearInterval(beat);
    };
  }

  function send(words: string): void {
    const bytes = encoder.encode(words);
    for (const page of pages) {
      if ((page.desiredSize ?? 0) > 0) page.enqueue(bytes);
      else {
        leave(page);
        page.close();
      }
    }
  }

  function leave(page: Page): void {
    if (!pages.delete(page)) return;
    if (pages.size === 0) stop();
    onPages(pages.size);
  }

  return {
    openPages: () => pages.size,
    open() {
      if (pages.size >= mostPages) return undefined;
      let page: Page;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            page = controller;
            if (pages.size === 0) start();
            pages.add(page);
            onPages(pages.size);
            page.enqueue(encoder.encode("retry: 2000\nevent: ready\ndata: {}\n\n"));
          },
          cancel: () => leave(page),
        },
        { highWaterMark: mostWaiting },
      );
    },
  };
}

/** JSON has no line ends of its own, so one data line holds it whatever the notice is about. */
const eventOf = ({ topic, about }: Notice): string =>
  `event: ${topic}\ndata: ${JSON.stringify({ topic, about: about ?? null })}\n\n`;
