/** One way to damage the bytes of a file, by name. */
export interface Damage {
  name: string;
  bytes: Buffer;
}

const page = 4_096;

/** Damage as caused by disks and people: whole pages, missing ends, other content. */
export function damaged(intact: Buffer, random: () => number): Damage {
  // An empty file gets content.
  const bytes = intact.length > 0 ? intact : Buffer.alloc(page);
  const below = (max: number) => Math.floor(random() * max);
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
  const pages = Math.max(1, Math.ceil(bytes.length / page));
  const withPage = (number: number, fill: Buffer): Buffer => {
    const changed = Buffer.from(bytes);
    fill.copy(changed, number * page);
    return changed;
  };
  const damages: (() => Damage)[] = [
    () => ({ name: "emptied", bytes: Buffer.alloc(0) }),
    () => ({ name: "cut", bytes: bytes.subarray(0, below(bytes.length)) }),
    () => ({ name: "cut at a page", bytes: bytes.subarray(0, below(pages) * page) }),
    () => ({ name: "a page of noise", bytes: withPage(below(pages), noise(page)) }),
    () => ({ name: "a page of zeros", bytes: withPage(below(pages), Buffer.alloc(page)) }),
    () => ({ name: "noise at its beginning", bytes: withPage(0, noise(1 + below(100))) }),
    () => ({ name: "all noise", bytes: noise(Math.min(bytes.length, 20_000)) }),
    () => ({ name: "another text", bytes: Buffer.from("This was something else once.\n") }),
  ];
  // The list is not empty.
  return (damages[below(damages.length)] as () => Damage)();
}
