/** Bytes in the order they came. */
export interface BytePages {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** A copy of everything from an offset on. */
  from(offset: number): Buffer;
  /** Forgets everything from an offset on. */
  cut(offset: number): void;
}

const pageSize = 64 * 1024;

/**
 * Keeps bytes in pages of one size, so that a long line is copied once as it comes, however small
 * the pieces are, and no more memory is held than its bytes and the rest of a page.
 */
export function bytePages(): BytePages {
  const pages: Buffer[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
      for (let taken = 0; taken < bytes.length; ) {
        const place = length % pageSize;
        const number = Math.floor(length / pageSize);
        const page = pages[number] ?? Buffer.allocUnsafeSlow(pageSize);
        pages[number] = page;
        const piece = bytes.subarray(taken, taken + pageSize - place);
        page.set(piece, place);
        taken += piece.length;
        length += piece.length;
      }
    },
    from(offset) {
      const first = Math.floor(offset / pageSize);
      const skipped = first * pageSize;
      return Buffer.concat(pages.slice(first), length - skipped).subarray(offset - skipped);
    },
    cut(offset) {
      length = Math.min(length, offset);
      // One page stays for the next line, so that short lines allocate nothing.
      pages.length = Math.min(pages.length, Math.max(1, Math.ceil(length / pageSize)));
    },
  };
}
