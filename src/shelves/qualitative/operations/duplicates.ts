import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { bounded, boundedShape, pagingShape } from "../../../kernel/bounded.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { twinCodes } from "../codebook.ts";
import { allCodes } from "../qda/storage-codes.ts";
import type { QualitativeState } from "../state.ts";

const operation = operationsOn<QualitativeState>();

export const findDuplicateCodes = operation({
  name: "find_duplicate_codes",
  title: "Find duplicate codes",
  summary: "Codes that may be one: alike by name, or on the same passages. merge_codes joins two.",
  input: z.object({
    threshold: z.number().min(0).max(1).default(0.8).describe("How alike at least"),
    ...pagingShape,
  }),
  output: z.object({
    codes_analyzed: z.int(),
    candidates: z.array(
      z.object({
        code_a_id: z.int(),
        code_a_name: z.string(),
        code_a_segments: z.int(),
        code_b_id: z.int(),
        code_b_name: z.string(),
        code_b_segments: z.int(),
        similarity: z.int().describe("Percent"),
        name_similarity: z.int(),
        shared_passages: z.int(),
        rationale: z.string(),
      }),
    ),
    ...boundedShape,
  }),
  effect: "reads",
  expose: { http: "GET /qualitative/codes/duplicates", cli: "project code duplicates" },
  example: {},
  run({ threshold, ...part }, state) {
    const { db } = state.needed();
    const keyOf = ({ one, other }: { one: { id: number }; other: { id: number } }) =>
      `${one.id} ${other.id}`;
    const { items, ...rest } = bounded(twinCodes(db, threshold), { ...part, keyOf });
    return {
      codes_analyzed: allCodes(db).length,
      candidates: items.map(({ one, other, names, passages }) => ({
        code_a_id: one.id,
        code_a_name: one.name,
        code_a_segments: one.segments,
        code_b_id: other.id,
        code_b_name: other.name,
        code_b_segments: other.segments,
        similarity: percent(Math.max(names, passages)),
        name_similarity: percent(names),
        shared_passages: percent(passages),
        rationale: [
          ...(names >= threshold ? [`The names are ${percent(names)} % alike`] : []),
          ...(passages >= threshold ? [`${percent(passages)} % of their passages are shared`] : []),
        ].join("; "),
      })),
      ...rest,
    };
  },
  present: ({ candidates }) => [
    text(
      candidates
        .map(
          ({ code_a_name, code_b_name, rationale }) =>
            `${code_a_name} / ${code_b_name}: ${rationale}`,
        )
        .join("\n") || "No two codes are alike.",
    ),
  ],
});

const percent = (share: number): number => Math.round(share * 100);
