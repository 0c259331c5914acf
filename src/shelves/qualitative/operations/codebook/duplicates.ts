import * as z from "zod";
import { operationsFor } from "../../../../kernel/operation.ts";
import {
  listPageShape,
  pageByKey,
  pagingInputShape,
} from "../../../../kernel/operations/list-page.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { findSimilarCodes } from "../../codebook/codebook.ts";
import { allCodes } from "../../qda/storage-codes.ts";
import type { QualitativeState } from "../../state.ts";

const operation = operationsFor<QualitativeState>();

export const findDuplicateCodes = operation({
  name: "find_duplicate_codes",
  title: "Find duplicate codes",
  summary:
    "Codes that may be duplicates: with similar names, or on the same passages. merge_codes joins two.",
  input: z.object({
    threshold: z.number().min(0).max(1).default(0.8).describe("Minimum similarity"),
    ...pagingInputShape,
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
    ...listPageShape,
  }),
  effect: "reads",
  expose: { http: "GET /qualitative/codes/duplicates", cli: "project code duplicates" },
  example: {},
  run({ threshold, ...part }, state) {
    const { db } = state.requireProject();
    const keyOf = ({ one, other }: { one: { id: number }; other: { id: number } }) =>
      `${one.id} ${other.id}`;
    const { items, ...rest } = pageByKey(findSimilarCodes(db, threshold), { ...part, keyOf });
    return {
      codes_analyzed: allCodes(db).length,
      candidates: items.map(({ one, other, nameSimilarity, passageSimilarity }) => ({
        code_a_id: one.id,
        code_a_name: one.name,
        code_a_segments: one.segments,
        code_b_id: other.id,
        code_b_name: other.name,
        code_b_segments: other.segments,
        similarity: toPercent(Math.max(nameSimilarity, passageSimilarity)),
        name_similarity: toPercent(nameSimilarity),
        shared_passages: toPercent(passageSimilarity),
        rationale: [
          ...(nameSimilarity >= threshold
            ? [`The names are ${toPercent(nameSimilarity)} % similar`]
            : []),
          ...(passageSimilarity >= threshold
            ? [`${toPercent(passageSimilarity)} % of their passages are shared`]
            : []),
        ].join("; "),
      })),
      ...rest,
    };
  },
  present: ({ candidates }) => [
    textBlock(
      candidates
        .map(
          ({ code_a_name, code_b_name, rationale }) =>
            `${code_a_name} / ${code_b_name}: ${rationale}`,
        )
        .join("\n") || "No codes are similar.",
    ),
  ],
});

const toPercent = (share: number): number => Math.round(share * 100);
