import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { objectsGuide } from "../guide.ts";
import type { ObjectsState } from "../state.ts";

const operation = operationsFor<ObjectsState>();

const getGuide = operation({
  name: "qmdc_get_guide",
  title: "Get the guide",
  summary: "Explains the format of objects and when to use which tool. Read it once.",
  input: z.object({}),
  output: z.object({ guide: z.string() }),
  effect: "reads",
  expose: { mcp: "content", cli: "objects guide" },
  example: {},
  run: () => ({ guide: objectsGuide }),
  present: ({ guide: text }) => [textBlock(text)],
});

export const guideOperations = [getGuide];
