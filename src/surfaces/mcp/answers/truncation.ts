import { isJsonObject } from "../../../text/formats/json-value.ts";
import { truncateText } from "../../../text/strings/truncate.ts";

/** How much of a list, map or text is shown. If a path occurs repeatedly, the largest cut is recorded. */
export interface Truncation {
  shown: number;
  total: number;
  unit: "items" | "members" | "characters";
  /** How many of the shown items are failures, which are omitted last. */
  failures: number;
}

/** Texts are not truncated below this length, because shorter ones may be names. */
const minTextLength = 500;

/** Items are not truncated below this size; the list is shortened instead. */
const minMemberBytes = 1_000;

/** An object with more members is treated as a map, which may be shortened like a list. */
const maxFields = 100;

/**
 * Copies a value so that its JSON has about `room` bytes. Small members are kept whole; the remaining
 * room is shared equally among larger ones (max-min fairness). A list of similar items loses its
 * last items; in a list with a few large items, those items are truncated. Sizes are computed once,
 * bottom-up, so the time is linear in the size of the value.
 */
export function truncateValue(
  whole: SizedValue,
  room: number,
): { value: unknown; cuts: Map<string, Truncation> } {
  const cuts = new Map<string, Truncation>();
  return { value: truncatePart(whole, room, ""), cuts };

  function truncatePart(whole: SizedValue, room: number, path: string): unknown {
    if (whole.bytes <= room) return whole.value;
    if (typeof whole.value === "string") return fitText(whole.value, room / whole.bytes, path);
    if (!whole.members) return whole.value;
    if (Array.isArray(whole.value)) {
      const items = fitMembers(whole.members, room, () => path);
      recordMembers(path, whole.members, items, "items");
      return items.map(([, item]) => item);
    }
    const named = (name: string) => (path ? `${path}.${name}` : name);
    if (whole.members.length > maxFields) {
      const members = fitMembers(whole.members, room, named);
      recordMembers(path, whole.members, members, "members");
      return Object.fromEntries(members);
    }
    const share = fairShare(whole.members, room);
    return Object.fromEntries(
      whole.members.map(({ name, sized }) => [name, truncatePart(sized, share, named(name))]),
    );
  }

  function fitText(text: string, share: number, path: string): string {
    const short = truncateText(text, Math.max(minTextLength, Math.floor(text.length * share)));
    recordTruncation(path, {
      shown: short.length,
      total: text.length,
      unit: "characters",
      failures: 0,
    });
    return short;
  }

  /** As many members as fit: failures first, then the others in order. */
  function fitMembers(
    members: readonly Member[],
    room: number,
    pathOf: (name: string) => string,
  ): [string, unknown][] {
    const share = Math.max(minMemberBytes, fairShare(members, room));
    const maxBytes = haveSimilarSizes(members) ? room : share;
    const kept = new Map<Member, unknown>();
    let remaining = room;
    for (const member of failuresFirst(members)) {
      const { name, sized, bytes } = member;
      const used = Math.min(bytes, maxBytes);
      if (used > remaining) break;
      remaining -= used;
      kept.set(member, truncatePart(sized, used - (bytes - sized.bytes), pathOf(name)));
    }
    return members.flatMap((member) =>
      kept.has(member) ? [[member.name, kept.get(member)] as [string, unknown]] : [],
    );
  }

  function recordMembers(
    path: string,
    members: readonly Member[],
    kept: readonly [string, unknown][],
    unit: Truncation["unit"],
  ): void {
    const failures = kept.filter(([, member]) => isFailure(member)).length;
    recordTruncation(path, { shown: kept.length, total: members.length, unit, failures });
  }

  function recordTruncation(path: string, cut: Truncation): void {
    const lost = ({ total, shown }: Truncation) => total - shown;
    const before = cuts.get(path);
    if (lost(cut) > (before ? lost(before) : 0)) cuts.set(path, cut);
  }
}

/** In the results of a batch, failures are the most important. */
const failuresFirst = (members: readonly Member[]): readonly Member[] => {
  const failed = members.filter(({ sized }) => isFailure(sized.value));
  return failed.length === 0
    ? members
    : [...failed, ...members.filter(({ sized }) => !isFailure(sized.value))];
};

const isFailure = (value: unknown): boolean => isJsonObject(value) && value.success === false;

/** A value with its JSON size in bytes, and those of its members. */
interface SizedValue {
  value: unknown;
  bytes: number;
  members?: Member[];
}

interface Member {
  name: string;
  sized: SizedValue;
  /** Includes the name, if the member is of an object, and the comma. */
  bytes: number;
}

export function measureSize(value: unknown): SizedValue {
  if (typeof value !== "object" || value === null) {
    return { value, bytes: Buffer.byteLength(JSON.stringify(value) ?? "") };
  }
  const isList = Array.isArray(value);
  const members: Member[] = [];
  // Two brackets, and one comma fewer than members.
  let bytes = Object.keys(value).length > 0 ? 1 : 2;
  // A plain loop, because each callback of a deeply nested value would take room on the stack.
  for (const [name, member] of Object.entries(value)) {
    const sized = measureSize(member);
    const memberBytes = sized.bytes + 1 + (isList ? 0 : Buffer.byteLength(name) + 3);
    members.push({ name, sized, bytes: memberBytes });
    bytes += memberBytes;
  }
  return { value, bytes, members };
}

/** The maximum size per member so that all members fit (max-min fair share). */
function fairShare(members: readonly Member[], room: number): number {
  const sizes = members.map(({ bytes }) => bytes).sort((a, b) => a - b);
  let remaining = room;
  for (const [index, size] of sizes.entries()) {
    const share = remaining / (sizes.length - index);
    if (size > share) return share;
    remaining -= size;
  }
  return room;
}

/** Whether no member dominates: none is half of the total or much larger than the average. */
function haveSimilarSizes(members: readonly Member[]): boolean {
  const sum = members.reduce((total, { bytes }) => total + bytes, 0);
  const largest = members.reduce((max, { bytes }) => Math.max(max, bytes), 0);
  const isEven = largest < 8 * (sum / members.length) || largest < 20_000;
  return members.length > 1 && largest < sum / 2 && isEven;
}
