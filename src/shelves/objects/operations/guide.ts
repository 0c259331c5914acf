import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { guide } from "../guide.ts";
import type { ObjectsState } from "../state.ts";

const operation = operationsOn<ObjectsState>();

const getGuide = operation({
  name: "qmdc_get_guide",
  title: "Get the guide",
  summary: "How objects are written, and which tool answers which question. Read it once.",
  input: z.object({}),
  output: z.object({ guide: z.string() }),
  effect: "reads",
  expose: { mcp: "content", cli: "objects guide" },
  example: {},
  run: () => ({ guide }),
  present: ({ guide: words }) => [text(words)],
});

export const guideOperations = [getGuide];
