import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import type { Answer, Call, Question } from "../../src/kernel/call.ts";
import { Failure } from "../../src/kernel/failure.ts";
import { type Operation, operationsFor } from "../../src/kernel/operation.ts";
import {
  type OutputBlock,
  resourceBlock,
  textBlock,
} from "../../src/kernel/operations/output-block.ts";

const operation = operationsFor<null>();

const noInput = z.object({});
const output = z.object({ blocks: z.array(z.custom<OutputBlock>()) });

/** A tool that the conformance suite calls by name, and that returns the given blocks. */
function probe<Input extends z.ZodObject>(
  name: string,
  input: Input,
  example: z.input<Input>,
  run: (input: z.output<Input>, call: Call) => OutputBlock[] | Promise<OutputBlock[]>,
): Operation<null, Input, typeof output> {
  return operation({
    name,
    title: name,
    summary: `Answers the conformance suite's ${name}.`,
    input,
    output,
    effect: "reads",
    expose: { mcp: "content" },
    example,
    run: async (given, _state, call) => ({ blocks: await run(given, call) }),
    present: ({ blocks }) => blocks,
  });
}

const fixed = (name: string, run: (call: Call) => OutputBlock[] | Promise<OutputBlock[]>) =>
  probe(name, noInput, {}, (_input, call) => run(call));

/** One red pixel. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** A silent wave file. */
const silentWave = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const image: OutputBlock = { type: "image", data: pixel, mimeType: "image/png" };

const contentProbes = [
  fixed("test_simple_text", () => [textBlock("This is a simple text response for testing.")]),
  fixed("test_image_content", () => [image]),
  fixed("test_audio_content", () => [{ type: "audio", data: silentWave, mimeType: "audio/wav" }]),
  fixed("test_embedded_resource", () => [
    resourceBlock({
      uri: "test://embedded-resource",
      mimeType: "text/plain",
      text: "This is an embedded resource content.",
    }),
  ]),
  fixed("test_multiple_content_types", () => [
    textBlock("Multiple content types test:"),
    image,
    resourceBlock({
      uri: "test://mixed-content-resource",
      mimeType: "application/json",
      text: '{"test":"data","value":123}',
    }),
  ]),
  fixed("test_error_handling", () => {
    throw new Failure(
      "unavailable",
      "on-purpose",
      "This tool intentionally returns an error for testing",
    );
  }),
];

const notifyingProbes = [
  fixed("test_tool_with_logging", async (call) => {
    call.log("info", "Tool execution started");
    await wait(50);
    call.log("info", "Tool processing data");
    await wait(50);
    call.log("info", "Tool execution completed");
    return [textBlock("Logged three times.")];
  }),
  fixed("test_logging_tool", (call) => {
    call.log("info", "A log message");
    return [textBlock("Logged once.")];
  }),
  fixed("test_tool_with_progress", async (call) => {
    call.progress(0, 100);
    await wait(50);
    call.progress(50, 100);
    await wait(50);
    call.progress(100, 100);
    return [textBlock("Progress was reported three times.")];
  }),
  fixed("test_trigger_tool_change", (call) => {
    call.announce({ topic: "tools.changed" });
    return [textBlock("The tool list change was announced.")];
  }),
  fixed("test_trigger_prompt_change", (call) => {
    call.announce({ topic: "prompts.changed" });
    return [textBlock("The prompt list change was announced.")];
  }),
];

export const formQuestion = (message: string, properties: Record<string, object>): Question => ({
  kind: "form",
  message,
  schema: { type: "object", properties, required: Object.keys(properties) },
});

const string = { type: "string" };

const model = (prompt: string, maxTokens: number): Question => ({
  kind: "model",
  messages: [{ role: "user", text: prompt }],
  maxTokens,
});

const completed = (answer: Answer): OutputBlock[] =>
  answer.kind === "form"
    ? [
        textBlock(
          `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`,
        ),
      ]
    : [textBlock(JSON.stringify(answer))];

const askingProbes = [
  probe("test_sampling", z.object({ prompt: z.string() }), { prompt: "x" }, ({ prompt }, call) => {
    const { reply } = call.ask({ reply: model(prompt, 100) });
    return [textBlock(`LLM response: ${reply.kind === "model" ? reply.text : ""}`)];
  }),
  probe(
    "test_elicitation",
    z.object({ message: z.string() }),
    { message: "x" },
    ({ message }, call) => {
      const { reply } = call.ask({
        reply: formQuestion(message, {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        }),
      });
      return [textBlock(`User response: ${JSON.stringify(reply)}`)];
    },
  ),
  fixed("test_elicitation_sep1034_defaults", (call) => {
    const { reply } = call.ask({
      reply: formQuestion("Please check these values.", {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      }),
    });
    return completed(reply);
  }),
  fixed("test_elicitation_sep1330_enums", (call) => {
    const options = ["option1", "option2", "option3"];
    const titled = (kind: string) =>
      ["First", "Second", "Third"].map((word, index) => ({
        const: `value${index + 1}`,
        title: `${word} ${kind}`,
      }));
    const { reply } = call.ask({
      reply: formQuestion("Please choose.", {
        untitledSingle: { type: "string", enum: options },
        titledSingle: { type: "string", oneOf: titled("Option") },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: options } },
        titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
      }),
    });
    return completed(reply);
  }),
  fixed("test_missing_capability", (call) => {
    call.ask({ reply: model("Is anybody there?", 10) });
    return [textBlock("Somebody was there.")];
  }),
  fixed("test_streaming_elicitation", (call) => {
    const { reply } = call.ask({ reply: formQuestion("Go on?", { ok: { type: "boolean" } }) });
    return completed(reply);
  }),
];

/** Tools that repeat their questions until all are answered. */
const roundProbes = [
  fixed("test_input_required_result_elicitation", (call) => {
    const { user_name } = call.ask({
      user_name: formQuestion("What is your name?", { name: string }),
    });
    const name = user_name.kind === "form" ? user_name.content.name : "stranger";
    return [textBlock(`Hello, ${name}!`)];
  }),
  fixed("test_input_required_result_sampling", (call) => {
    const { capital_question } = call.ask({
      capital_question: model("What is the capital of France?", 100),
    });
    return [textBlock(capital_question.kind === "model" ? capital_question.text : "")];
  }),
  fixed("test_input_required_result_list_roots", (call) => {
    const { client_roots } = call.ask({ client_roots: { kind: "roots" } });
    return [textBlock(JSON.stringify(client_roots))];
  }),
  fixed("test_input_required_result_request_state", (call) => {
    call.ask(
      { confirm: formQuestion("Please confirm", { ok: { type: "boolean" } }) },
      { asked: "once" },
    );
    const hasMemory = JSON.stringify(call.memory) === '{"asked":"once"}';
    return [textBlock(hasMemory ? "state-ok" : "state-lost")];
  }),
  fixed("test_input_required_result_multiple_inputs", (call) => {
    const answers = call.ask({
      user_name: formQuestion("What is your name?", { name: string }),
      greeting: model("Generate a greeting", 50),
      client_roots: { kind: "roots" },
    });
    return [textBlock(Object.keys(answers).join(", "))];
  }),
  fixed("test_input_required_result_multi_round", (call) => {
    call.ask({ step1: formQuestion("Step 1: What is your name?", { name: string }) });
    const answers = call.ask({
      step2: formQuestion("Step 2: What is your favorite color?", { color: string }),
    });
    return [textBlock(JSON.stringify(answers))];
  }),
  fixed("test_input_required_result_tampered_state", (call) => {
    call.ask({ confirm: formQuestion("Please confirm", { ok: { type: "boolean" } }) }, "untouched");
    return [textBlock(`Remembered: ${call.memory}`)];
  }),
  fixed("test_input_required_result_capabilities", (call) => {
    const questions: Record<string, Question> = {
      ...(call.canAsk("form") && { by_form: formQuestion("Which one?", { name: string }) }),
      ...(call.canAsk("model") && { by_model: model("Which one?", 20) }),
    };
    return [textBlock(JSON.stringify(call.ask(questions)))];
  }),
];

/** A schema that clients must receive unchanged. */
const schemaProbe = probe(
  "json_schema_2020_12_tool",
  z
    .strictObject({
      name: z.string().optional(),
      address: z.unknown().optional().meta({ $ref: "#/$defs/address" }),
      contactMethod: z.enum(["phone", "email"]).optional(),
      phone: z.string().optional(),
      email: z.string().optional(),
    })
    .meta({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: `then` is a JSON Schema keyword
      then: { required: ["phone"] },
      else: { required: ["email"] },
    }),
  {},
  () => [textBlock("ok")],
);

export const probeOperations = [
  ...contentProbes,
  ...notifyingProbes,
  ...askingProbes,
  ...roundProbes,
  schemaProbe,
];
