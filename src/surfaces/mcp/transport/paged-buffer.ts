/** A growing byte buffer. */
export interface PagedBuffer {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** A copy of everything from an offset on. */
  copyFrom(offset: number): Buffer;
  /** Discards everything from an offset on. */
  truncate(offset: number): void;
}

const pageSize = 64 * 1024;

/**
 * Stores bytes in pages of equal size. A long line is copied only once, however small its chunks
 * are, and at most one page of memory is unused.
 */
export function createPagedBuffer(): PagedBuffer {
  const pages: Buffer[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
      for (let copied = 0; copied < bytes.length; ) {
        const offset = length % pageSize;
        const number = Math.floor(length / pageSize);
        const page = pages[number] ?? Buffer.allocUnsafeSlow(pageSize);
        pages[number] = page;
        const piece = bytes.subarray(copied, copied + pageSize - offset);
        page.set(piece, offset);
        copied += piece.length;
        length += piece.length;
      }
    },
    copyFrom(offset) {
      const first = Math.floor(offset / pageSize);
      const skipped = first * pageSize;
      return Buffer.concat(pages.slice(first), length - skipped).subarray(offset - skipped);
    },
    truncate(offset) {
      length = Math.min(length, offset);
      // One page is kept for the next line, so that short lines allocate nothing.
      pages.length = Math.min(pages.length, Math.max(1, Math.ceil(length / pageSize)));
    },
  };
}
