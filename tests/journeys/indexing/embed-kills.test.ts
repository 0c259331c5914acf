import { expect, test } from "vitest";
import { killEmbedding } from "../../programs/embed-kills.ts";
import { showFigures } from "../figures.ts";

/** A few by default; set `LECTERN_KILLS=1000` for a long run. */
const kills = Number(process.env.LECTERN_KILLS ?? 12);
const seed = Number(process.env.LECTERN_SEED ?? Date.now() % 1_000_000);

test(
  "[search.embed.killed] killing embed repeatedly never loses, corrupts or mixes up a vector",
  async () => {
    const { faults, ...report } = await killEmbedding({ kills, seed });
    showFigures(JSON.stringify(report));

    expect(faults, `LECTERN_SEED=${seed}`).toEqual([]);
    expect(report.kills).toBe(kills);
    expect(report.killsWhileEmbedding).toBeGreaterThan(0);
  },
  300_000 + kills * 10_000,
);
