import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countSpeakers, parseSpeakerTurns, type SpeakerTurn } from "./speaker-turns.ts";

const turnsOf = (text: string): [string, string][] =>
  parseSpeakerTurns(text).map(({ speaker, start, end }) => [speaker, text.slice(start, end)]);

const folder = new URL("../../../../shared/data/qualitative/transcripts/", import.meta.url);

/** Real transcripts if available, otherwise one in the same format. */
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

test(`[qualitative.speakers.transcripts] in ${source} exactly the actual turns are found`, () => {
  let turns = 0;
  for (const [name, text] of Object.entries(texts)) {
    const found = parseSpeakerTurns(text);
    expect([name, found.map(({ speaker }) => speaker)]).toEqual([name, countedByHand(text)]);
    for (const [, words] of turnsOf(text)) expect(words).not.toMatch(/^\s|\s$|-->|\n(I|P\d): /);
    turns += found.length;
  }
  expect(turns).toBeGreaterThan(3);
});

test("[qualitative.speakers.transcripts] no text between the names is lost", () => {
  for (const text of Object.values(texts)) {
    const first = parseSpeakerTurns(text)[0]?.start ?? text.length;
    const words = turnsOf(text)
      .map(([name, part]) => `${name}: ${part}`)
      .join(" ");
    const whole = text.slice(first).replace(/\n(\d+\n)?[\d:.]+ --> [\d:.]+/g, "");
    expect(words.replace(/^\w+: /, "").replace(/\s+/g, "")).toBe(whole.replace(/\s+/g, ""));
  }
});

test("[qualitative.speakers.names] names in any script, with digits and accents, start a turn", () => {
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
    expect(turnsOf(text)).toEqual([
      [name, "Yes 😀.\nAnd more."],
      [name, "No."],
    ]);
  }
});

test("[qualitative.speakers.names] names are recognized in many notations", () => {
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
    expect([text, turnsOf(text)]).toEqual([text, both]);
  }
  expect(
    turnsOf(
      "Ana García  0:12\nHi.\n\nBen  0:14\nHello.\n\nAna García  0:16\nBye.\nBen  0:20\nBye.",
    ),
  ).toMatchObject([
    ["Ana García", "Hi."],
    ["Ben", "Hello."],
    ["Ana García", "Bye."],
    ["Ben", "Bye."],
  ]);
  expect(turnsOf("Ana\tHi.\nBen\tHello.\nAna\tBye.\nBen\tBye.")).toHaveLength(4);
  expect(turnsOf("田中:はい\n鈴木:いいえ")).toEqual([
    ["田中", "はい"],
    ["鈴木", "いいえ"],
  ]);
});

test("[qualitative.speakers.names] lines of prose, headers, times and remarks are not turns", () => {
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
    expect([text, turnsOf(text)]).toEqual([text, []]);
  }
});

test("[qualitative.speakers.names] text before a conversation is not a turn unless it has a speaker", () => {
  const turns = "Ana: Hi.\n[Pause]\nBen: Yes.\n\nAna: And?\n\nNOTES\nAll went well.";
  const found = [
    ["Ana", "Hi.\n[Pause]"],
    ["Ben", "Yes."],
    ["Ana", "And?"],
  ];
  expect(turnsOf(`Date: 3 May\nInterviewer: Ana Smith\nPlace: Lab\n\n${turns}`)).toEqual(found);
  expect(turnsOf(`Host: Welcome to you all.\n${turns}`)).toEqual([
    ["Host", "Welcome to you all."],
    ...found,
  ]);
});

test("[qualitative.speakers.names] speaker names are case-insensitive", () => {
  const turns: SpeakerTurn[] = parseSpeakerTurns("Ana: a\nBEN: b\nana: c\nANA: d");
  expect(countSpeakers(turns)).toEqual([
    { name: "Ana", count: 3 },
    { name: "BEN", count: 1 },
  ]);
});

test("[qualitative.speakers.names] time is linear in the length of the text", () => {
  const lines = [
    "Ana ".repeat(50_000),
    "a.b".repeat(50_000),
    ": ".repeat(50_000),
    "\t".repeat(50_000),
  ];
  expect(parseSpeakerTurns(lines.join("\n"))).toEqual([]);
  expect(parseSpeakerTurns("Ana: x\n".repeat(20_000))).toHaveLength(20_000);
});

test("[qualitative.speakers.names] a conversation built from turns is split into the same turns", () => {
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
    speech: fc
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
        // Every speaker has two turns, so that every name is recognized.
        const all = [...turns, ...turns];
        const text = all.map(({ name, speech }) => label(name) + speech).join(gap);
        expect(turnsOf(text.replaceAll("\n", end))).toEqual(
          all.map(({ name, speech }) => [name, speech.replaceAll("\n", end)]),
        );
      },
    ),
    { numRuns: 1_000, seed: 20_261_116 },
  );
});
