import { cleanStart } from "../../text/clean-start.ts";
import { isObject } from "../../text/json-value.ts";

/** What of a list, a map or a text is shown. Of things of one name the one that lost most counts. */
export interface Cut {
  shown: number;
  whole: number;
  unit: "items" | "members" | "characters";
  /** How many of the shown say that they failed; these are left out last. */
  failures: number;
}

/** A shorter text says nothing any more, and may be a name. */
const shortestText = 500;

/** An item that is cut down further tells nothing; the list is cut instead. */
const smallestMember = 1_000;

/** An object with more members is a map, of which some can be left out. */
const mostFields = 100;

/**
 * A copy of a value that has no more than so many bytes as JSON, or little more. What weighs little
 * stays whole; what is left of the room goes in equal shares to what weighs more. A list whose items
 * weigh alike is cut at its end, one with some heavy items within those. All is weighed once, from
 * the leaves up, so that a value of any shape takes the time that it takes to read it.
 */
export function cutDown(whole: Weighed, room: number): { value: unknown; cuts: Map<string, Cut> } {
  const cuts = new Map<string, Cut>();
  return { value: part(whole, room, ""), cuts };

  function part(whole: Weighed, room: number, path: string): unknown {
    if (whole.weight <= room) return whole.value;
    if (typeof whole.value === "string") return fitText(whole.value, room / whole.weight, path);
    if (!whole.members) return whole.value;
    if (Array.isArray(whole.value)) {
      const items = fitMembers(whole.members, room, () => path);
      note(path, whole.members, items, "items");
      return items.map(([, item]) => item);
    }
    const named = (name: string) => (path ? `${path}.${name}` : name);
    if (whole.members.length > mostFields) {
      const members = fitMembers(whole.members, room, named);
      note(path, whole.members, members, "members");
      return Object.fromEntries(members);
    }
    const share = fairShare(whole.members, room);
    return Object.fromEntries(
      whole.members.map(({ name, of }) => [name, part(of, share, named(name))]),
    );
  }

  function fitText(text: string, share: number, path: string): string {
    const short = cleanStart(text, Math.max(shortestText, Math.floor(text.length * share)));
    keep(path, { shown: short.length, whole: text.length, unit: "characters", failures: 0 });
    return short;
  }

  /** As many as there is room for: those that failed, and others from the first on. */
  function fitMembers(
    members: readonly Member[],
    room: number,
    pathOf: (name: string) => string,
  ): [string, unknown][] {
    const share = Math.max(smallestMember, fairShare(members, room));
    const most = weighAlike(members) ? room : share;
    const kept = new Map<Member, unknown>();
    let left = room;
    for (const member of failuresFirst(members)) {
      const { name, of, weight } = member;
      const taken = Math.min(weight, most);
      if (taken > left) break;
      left -= taken;
      kept.set(member, part(of, taken - (weight - of.weight), pathOf(name)));
    }
    return members.flatMap((member) =>
      kept.has(member) ? [[member.name, kept.get(member)] as [string, unknown]] : [],
    );
  }

  function note(
    path: string,
    members: readonly Member[],
    kept: readonly [string, unknown][],
    unit: Cut["unit"],
  ): void {
    const failures = kept.filter(([, member]) => isFailure(member)).length;
    keep(path, { shown: kept.length, whole: members.length, unit, failures });
  }

  function keep(path: string, cut: Cut): void {
    const lost = ({ whole, shown }: Cut) => whole - shown;
    const before = cuts.get(path);
    if (lost(cut) > (before ? lost(before) : 0)) cuts.set(path, cut);
  }
}

/** Of many deeds at once, those that failed are what somebody must hear of. */
const failuresFirst = (members: readonly Member[]): readonly Member[] => {
  const failed = members.filter(({ of }) => isFailure(of.value));
  return failed.length === 0
    ? members
    : [...failed, ...members.filter(({ of }) => !isFailure(of.value))];
};

const isFailure = (value: unknown): boolean => isObject(value) && value.success === false;

/** A value with its weight in bytes, and the same of all that it holds. */
interface Weighed {
  value: unknown;
  weight: number;
  members?: Member[];
}

interface Member {
  name: string;
  of: Weighed;
  /** With its name, where that is written too. */
  weight: number;
}

export function weigh(value: unknown): Weighed {
  if (typeof value !== "object" || value === null) {
    return { value, weight: Buffer.byteLength(JSON.stringify(value) ?? "") };
  }
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, member]): Member => {
    const of = weigh(member);
    return { name, of, weight: of.weight + 1 + (isList ? 0 : Buffer.byteLength(name) + 3) };
  });
  // Two brackets, and a comma less than there are members.
  const weight = members.reduce((sum, member) => sum + member.weight, members.length > 0 ? 1 : 2);
  return { value, weight, members };
}

/** What each may have at most, so that together they have no more than there is room for. */
function fairShare(members: readonly Member[], room: number): number {
  const weights = members.map(({ weight }) => weight).sort((a, b) => a - b);
  let left = room;
  for (const [place, weight] of weights.entries()) {
    const share = left / (weights.length - place);
    if (weight > share) return share;
    left -= weight;
  }
  return room;
}

/** None is half of them all, and none is so much more than most that it would crowd them out. */
function weighAlike(members: readonly Member[]): boolean {
  const sum = members.reduce((total, { weight }) => total + weight, 0);
  const most = members.reduce((larger, { weight }) => Math.max(larger, weight), 0);
  const isEven = most < 8 * (sum / members.length) || most < 20_000;
  return members.length > 1 && most < sum / 2 && isEven;
}
