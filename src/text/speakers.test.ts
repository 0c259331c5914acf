import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { speakersOf, type Turn, turnsOf } from "./speakers.ts";

const said = (text: string): [string, string][] =>
  turnsOf(text).map(({ speaker, start, end }) => [speaker, text.slice(start, end)]);

const folder = new URL("../../../shared/data/qualitative/transcripts/", import.meta.url);

/** Transcripts of other people where they are at hand, and otherwise one of our own in their form. */
function transcripts(): { source: string; texts: Record<string, string> } {
  if (!existsSync(folder)) return { source: "a transcript of our own", texts: { own } };
  const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  const texts = names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]);
  return { source: `${names.length} transcripts`, texts: Object.fromEntries(texts) };
}

const own = `REVIEW TYPE AND GOAL
- First review, see “Nit: names”

INTERVIEW
I: Can I ask: what do you check?

P4: For example, the commit
the plan: what was the problem it was to solve

I: So what is next?

171
00:22:53.120 --> 00:23:07.630
P4:  the tests.

They say the most.
`;

/** In these transcripts an interviewer is `I`, a participant `P` and a number. */
function countedByHand(text: string): string[] {
  const names: string[] = [];
  for (const line of text.split("\n")) {
    const colon = line.indexOf(": ");
    const name = line.slice(0, Math.max(colon, 0));
    const isParticipant =
      name.length === 2 && name[0] === "P" && "123456789".includes(name[1] ?? "");
    if (name === "I" || isParticipant) names.push(name);
  }
  return names;
}

const { source, texts } = transcripts();

test(`[qualitative.speakers.transcripts] in ${source} every turn is found and none is invented`, () => {
  let turns = 0;
  for (const [name, text] of Object.entries(texts)) {
    const found = turnsOf(text);
    expect([name, found.map(({ speaker }) => speaker)]).toEqual([name, countedByHand(text)]);
    for (const [, words] of said(text)) expect(words).not.toMatch(/^\s|\s$|-->|\n(I|P\d): /);
    turns += found.length;
  }
  expect(turns).toBeGreaterThan(3);
});

test("[qualitative.speakers.transcripts] what is said between the names is lost nowhere", () => {
  for (const text of Object.values(texts)) {
    const first = turnsOf(text)[0]?.start ?? text.length;
    const words = said(text)
      .map(([name, part]) => `${name}: ${part}`)
      .join(" ");
    const whole = text.slice(first).replace(/\n(\d+\n)?[\d:.]+ --> [\d:.]+/g, "");
    expect(words.replace(/^\w+: /, "").replace(/\s+/g, "")).toBe(whole.replace(/\s+/g, ""));
  }
});

test("[qualitative.speakers.names] names of any script, with digits and accents, begin a turn", () => {
  for (const name of [
    "ANA",
    "María José",
    "Researcher 1",
    "P01",
    "Émile",
    "Émile".normalize("NFD"),
    "Дмитрий",
    "Ωmega",
    "田中",
    "محمد",
    "राम",
    "ไกด์",
    "interviewer",
    "O'Neil",
    "Dr. Świt",
    "Speaker #2",
    "Ana-Lena",
    "İpek",
  ]) {
    const text = `${name}: Yes 😀.\nAnd more.\n${name}: No.`;
    expect(said(text)).toEqual([
      [name, "Yes 😀.\nAnd more."],
      [name, "No."],
    ]);
  }
});

test("[qualitative.speakers.names] names are written in many manners", () => {
  const both: [string, string][] = [
    ["Ana", "Hi."],
    ["Ben", "Hello."],
    ["Ana", "Bye."],
  ];
  for (const text of [
    "Ana: Hi.\nBen: Hello.\nAna: Bye.",
    "\uFEFFAna: Hi.\r\n\r\nBen: Hello.\r\n\r\nAna: Bye.\r\n",
    "**Ana:** Hi.\n\n**Ben**: Hello.\n\n**Ana:** Bye.",
    "[Ana] Hi.\n[Ben] Hello.\n[Ana] Bye.",
    "Ana:\nHi.\nBen:\nHello.\nAna:\nBye.",
    "[00:00:01] Ana: Hi.\n[00:00:02] Ben: Hello.\n[00:00:03] Ana: Bye.",
    "00:01 Ana: Hi.\n00:02 Ben: Hello.\n00:03 Ana: Bye.",
    "Ana (00:01): Hi.\nBen [0:02]: Hello.\nAna 00:03: Bye.",
    "Ana (laughing): Hi.\nBen: Hello.\nAna [quietly]: Bye.",
    "1. Ana: Hi.\n2. Ben: Hello.\n3. Ana: Bye.",
    "001 Ana: Hi.\n002 Ben: Hello.\n003 Ana: Bye.",
    "Ana (laughing): Hi.\nBen: Hello.\nAna: Bye.",
    "Ana:Hi.\nBen:Hello.\nAna:Bye.",
    "Ana：Hi.\nBen：Hello.\nAna：Bye.",
  ]) {
    expect([text, said(text)]).toEqual([text, both]);
  }
  expect(
    said("Ana García  0:12\nHi.\n\nBen  0:14\nHello.\n\nAna García  0:16\nBye.\nBen  0:20\nBye."),
  ).toMatchObject([
    ["Ana García", "Hi."],
    ["Ben", "Hello."],
    ["Ana García", "Bye."],
    ["Ben", "Bye."],
  ]);
  expect(said("Ana\tHi.\nBen\tHello.\nAna\tBye.\nBen\tBye.")).toHaveLength(4);
  expect(said("田中:はい\n鈴木:いいえ")).toEqual([
    ["田中", "はい"],
    ["鈴木", "いいえ"],
  ]);
});

test("[qualitative.speakers.names] lines of prose, headers, times and remarks are no turns", () => {
  for (const text of [
    "We met at 12:30 and left.\nthe plan: go home.",
    "See https://example.org/a: it is there.\nhttps://example.org",
    "C:\\notes\\a.txt\nstd::vector",
    "- Ana: in a list\n- Ben: in a list",
    '“Nit: names”\n"Ana: quoted"',
    "For example: this.\nFor example: that.",
    "Note: one.\nNote: two.",
    "Date: 3 May\nPlace: Lab\n\nNobody spoke.",
    "[laughs] Well.\n[laughs] Again.\n[Pause] So.",
  ]) {
    expect([text, said(text)]).toEqual([text, []]);
  }
});

test("[qualitative.speakers.names] what stands above a conversation is no turn, unless something is said", () => {
  const turns = "Ana: Hi.\n[Pause]\nBen: Yes.\n\nAna: And?\n\nNOTES\nAll went well.";
  const found = [
    ["Ana", "Hi.\n[Pause]"],
    ["Ben", "Yes."],
    ["Ana", "And?"],
  ];
  expect(said(`Date: 3 May\nInterviewer: Ana Smith\nPlace: Lab\n\n${turns}`)).toEqual(found);
  expect(said(`Host: Welcome to you all.\n${turns}`)).toEqual([
    ["Host", "Welcome to you all."],
    ...found,
  ]);
});

test("[qualitative.speakers.names] speakers are counted whatever the case of their names", () => {
  const turns: Turn[] = turnsOf("Ana: a\nBEN: b\nana: c\nANA: d");
  expect(speakersOf(turns)).toEqual([
    { name: "Ana", count: 3 },
    { name: "BEN", count: 1 },
  ]);
});

test("[qualitative.speakers.names] long texts take time by their length only", () => {
  const lines = [
    "Ana ".repeat(50_000),
    "a.b".repeat(50_000),
    ": ".repeat(50_000),
    "\t".repeat(50_000),
  ];
  expect(turnsOf(lines.join("\n"))).toEqual([]);
  expect(turnsOf("Ana: x\n".repeat(20_000))).toHaveLength(20_000);
});

test("[qualitative.speakers.names] a conversation made of turns is taken apart into the same turns", () => {
  const names = ["Ana", "P02", "Dr. Świt", "田中", "Researcher 1", "علی", "Юля", "de Boer"];
  const lines = [
    "I hoped, and then: nothing.",
    "at 12:30 we left",
    "“Why: so?”",
    "- a list: of things",
    "[laughs] 😀",
    "はい。",
    "(see https://example.org: there)",
  ];
  const turn = fc.record({
    name: fc.constantFrom(...names),
    said: fc
      .array(fc.array(fc.constantFrom(...lines), { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((paragraphs) => paragraphs.map((one) => one.join("\n")).join("\n\n")),
  });
  const manner = fc.constantFrom(
    (name: string) => `${name}: `,
    (name: string) => `${name}:\n`,
    (name: string) => `**${name}:** `,
    (name: string) => `[00:01:02] ${name}: `,
    (name: string) => `${name} (00:01): `,
  );
  fc.assert(
    fc.property(
      fc.array(turn, { minLength: 1, maxLength: 6 }),
      manner,
      fc.constantFrom("\n", "\n\n"),
      fc.constantFrom("\n", "\r\n"),
      (turns, label, gap, end) => {
        // Everybody speaks twice, so that nobody can be taken for a word.
        const all = [...turns, ...turns];
        const text = all.map(({ name, said }) => label(name) + said).join(gap);
        expect(said(text.replaceAll("\n", end))).toEqual(
          all.map(({ name, said }) => [name, said.replaceAll("\n", end)]),
        );
      },
    ),
    { numRuns: 1_000, seed: 20_261_116 },
  );
});
