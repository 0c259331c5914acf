import type { Call } from "../../src/kernel/call.ts";
import { notFound } from "../../src/kernel/failure.ts";
import {
  type OutputBlock,
  type ResourceContent,
  resourceBlock,
  textBlock,
} from "../../src/kernel/operations/output-block.ts";
import type { Prompt, PromptSource, RenderedPrompt } from "../../src/kernel/operations/prompt.ts";
import type { ResourceFamily } from "../../src/kernel/operations/resource.ts";
import { defineShelf } from "../../src/kernel/shelf.ts";
import { noTables } from "../../src/kernel/storage/migrations.ts";
import { formQuestion, pixel, probeOperations } from "./probe-operations.ts";

/** One resource with a fixed URI. */
function fixedResource(uri: string, title: string, content: ResourceContent): ResourceFamily<null> {
  const about = {
    name: title.toLowerCase().replaceAll(" ", "-"),
    title,
    mimeType: content.mimeType,
  };
  return {
    ...about,
    description: `${title}, for the conformance suite.`,
    uri,
    list: () => [{ uri, ...about }],
    read: () => [content],
  };
}

const staticText = "test://static-text";
const staticBinary = "test://static-binary";
const watched = "test://watched-resource";

const resources: ResourceFamily<null>[] = [
  fixedResource(staticText, "Static text", {
    uri: staticText,
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  }),
  fixedResource(staticBinary, "Static binary", {
    uri: staticBinary,
    mimeType: "image/png",
    blob: pixel,
  }),
  fixedResource(watched, "Watched", { uri: watched, mimeType: "text/plain", text: "Watched." }),
  {
    name: "template",
    title: "By template",
    description: "Data made from the id in the URI.",
    mimeType: "application/json",
    uri: "test://template/{id}/data",
    read(uri) {
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
      if (id === undefined) throw notFound("Resource not found");
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return [{ uri, mimeType: "application/json", text: JSON.stringify(data) }];
    },
  },
];

const known: Prompt[] = [
  { name: "test_simple_prompt", description: "No arguments.", arguments: [] },
  {
    name: "test_prompt_with_arguments",
    description: "Two arguments.",
    arguments: [
      { name: "arg1", description: "First test argument", required: true },
      { name: "arg2", description: "Second test argument", required: true },
    ],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "Embeds a resource.",
    arguments: [{ name: "resourceUri", description: "URI of the resource", required: true }],
  },
  { name: "test_prompt_with_image", description: "Shows an image.", arguments: [] },
  { name: "test_input_required_result_prompt", description: "Asks first.", arguments: [] },
];

const prompts: PromptSource<null> = {
  list: () => known,
  render(name, values, _state, call) {
    return renderedPrompt(name, blocksOf(name, values, call));
  },
  complete: (_name, _argument, typed) =>
    ["paris", "park", "party"].filter((word) => word.startsWith(typed)).map((value) => ({ value })),
};

const renderedPrompt = (description: string, blocks: OutputBlock[]): RenderedPrompt => ({
  description,
  messages: blocks.map((content) => ({ role: "user", content })),
});

function blocksOf(
  name: string,
  values: Readonly<Record<string, string>>,
  call: Call,
): OutputBlock[] {
  switch (name) {
    case "test_simple_prompt":
      return [textBlock("This is a simple prompt for testing.")];
    case "test_prompt_with_arguments":
      return [textBlock(`Prompt with arguments: arg1='${values.arg1}', arg2='${values.arg2}'`)];
    case "test_prompt_with_embedded_resource":
      return [
        resourceBlock({
          uri: values.resourceUri ?? "",
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        }),
        textBlock("Please process the embedded resource above."),
      ];
    case "test_prompt_with_image":
      return [
        { type: "image", data: pixel, mimeType: "image/png" },
        textBlock("Please analyze the image above."),
      ];
    default: {
      const { user_context } = call.ask({
        user_context: formQuestion("What context should the prompt use?", {
          context: { type: "string" },
        }),
      });
      return [textBlock(`The context: ${JSON.stringify(user_context)}`)];
    }
  }
}

/** Everything that the conformance suite requires by name, using only our own types. */
export const probeShelf = defineShelf<null>({
  name: "probe",
  dialect: "qmd",
  guide: "Answers the conformance suite.",
  tables: noTables,
  operations: probeOperations,
  resources,
  prompts,
  open: () => null,
});
