import { expect, test } from "vitest";
import { parseSpeakerTurns } from "./speaker-turns.ts";
import { subtitlesToTranscript } from "./subtitles.ts";

test("[qualitative.subtitles.text] cues become lines after their times, without markup", () => {
  const srt =
    "\uFEFF1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Hi.</i>\r\n{\\an8}- Yes.\r\n\r\n2\r\n01:00:03,500 --> 01:00:04,000\r\n1984\r\n";
  expect(subtitlesToTranscript(srt)).toBe("[00:00:01] Hi.\n- Yes.\n[01:00:03] 1984\n");
  expect(
    subtitlesToTranscript(
      "WEBVTT - t\n\nSTYLE\n::cue {}\n\nintro\n00:05.000 --> 00:06.000 line:0\n<c.red>a &lt; b</c>\n\n00:07.000 --> 00:08.000\n\n",
    ),
  ).toBe("[00:00:05] a < b\n");
});

test("[qualitative.subtitles.text] voices become speakers", () => {
  const text = subtitlesToTranscript(
    "WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud Ana García>Hi.</v>\n\n00:02.000 --> 00:03.000\nMore.\n\n00:03.000 --> 00:04.000\n<v Ben>Hello.\n",
  );
  expect(parseSpeakerTurns(text ?? "").map(({ speaker }) => speaker)).toEqual([
    "Ana García",
    "Ben",
  ]);
});

test("[qualitative.subtitles.text] text without times is not a subtitle", () => {
  expect(subtitlesToTranscript("Hello.\n\nIt is 12:30 --> 12:40.")).toBeUndefined();
});
