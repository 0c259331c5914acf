/** Requirements of the architecture shelf: documents, prompts and tools. */
export const architectureDocuments = {
  "architecture.align.chains": "a superseded decision cannot conflict; its current successor can",
  "architecture.align.languages":
    "non-English text yields only weak evidence, neither for nor against",
  "architecture.align.limits": "the limits are 5,000 characters, and 2,000 of context",
  "architecture.align.one-word":
    "a decision about a single term is matched, regardless of the rest of the proposal",
  "architecture.align.none": "a proposal without related decisions is reported as such",
  "architecture.align.options": "an option that was considered and not chosen conflicts",
  "architecture.align.quotes": "a conflict quotes the deciding sentence with its line",
  "architecture.align.refused": "an alternative that was rejected in favor of another conflicts",
  "architecture.align.revived":
    "proposing something that a decision replaced conflicts with that decision",
  "architecture.align.status":
    "only accepted decisions bind: proposed, rejected and deprecated ones are related",
  "architecture.align.supports":
    "a decision supports a proposal that agrees with it, or that rejects the same thing",
  "architecture.align.weak":
    "shared words are weak evidence, and an unrelated rejection is no evidence",
  "architecture.completions.arguments":
    "patterns, guidelines, decisions and languages are completed",
  "architecture.completions.bound": "at most 100 values are returned, with the total",
  "architecture.completions.errors": "an invalid request is refused with -32602 and the reason",
  "architecture.completions.items": "labels and descriptions are returned beside the values",
  "architecture.completions.prefix": "completion matches by case-insensitive prefix",
  "architecture.completions.templates":
    "kind and name of the resource template are completed, each depending on the other",
  "architecture.completions.usable": "a completed value is accepted unchanged",
  "architecture.hostile.documents": "a hostile document does not affect the others",
  "architecture.hostile.values": "no value crashes a resource, a prompt, a completion or a tool",
  "architecture.live.announced":
    "a running server announces created, changed and deleted documents",
  "architecture.live.next-call": "a call sees every change written before it, also in new folders",
  "architecture.live.notifications": "a client is notified of changes without asking",
  "architecture.logging.levels": "the log level filters the log, which goes only to stderr",
  "architecture.metrics.bounded": "latency percentiles use only the most recent calls",
  "architecture.metrics.counts": "calls and failures are counted by method, with latencies",
  "architecture.metrics.old-method": "the original project's own method returns the same",
  "architecture.metrics.silent": "metrics contain neither arguments nor paths",
  "architecture.prompts.arguments": "invalid arguments are refused with -32602",
  "architecture.prompts.built-in": "four prompts always exist, whatever the folder contains",
  "architecture.prompts.chosen":
    "if there are too many patterns, built-in prompts include the closest and name the omitted ones",
  "architecture.prompts.files":
    "JSON files directly in the folder are prompts, with roles and descriptions",
  "architecture.prompts.inert": "text in values and documents is never interpreted as a template",
  "architecture.prompts.last-good":
    "a broken file keeps its last valid prompt, and a fixed file is picked up",
  "architecture.prompts.limits": "arguments have length limits in code points",
  "architecture.prompts.nested": "an argument inside a resource URI is inserted only as a name",
  "architecture.prompts.optional": "a missing optional argument leaves no braces behind",
  "architecture.prompts.resource-limits": "a template embeds at most 50 documents and 1 MB",
  "architecture.prompts.resources": "documents are embedded by URI and by pattern",
  "architecture.prompts.tools": "a tool is described with its parameters",
  "architecture.prompts.validation": "an invalid file is not a prompt, and the log names it",
  "architecture.protocol.errors": "each kind of error has its code, and the next line is processed",
  "architecture.protocol.methods": "every method of the founding document works",
  "architecture.protocol.no-listener": "a server on stdio opens no socket",
  "architecture.resources.elsewhere": "decisions in other project folders are resources too",
  "architecture.resources.entry":
    "an entry has title, kind, type, size, time and checksum, and no path",
  "architecture.resources.force-root": "with a force root nothing outside it is read",
  "architecture.resources.never-guess": "an ambiguous or partial name is not resolved",
  "architecture.resources.not-found": "malformed, outside and missing URIs return the same error",
  "architecture.resources.order": "the list order is stable, and its pages have no gaps",
  "architecture.resources.outside": "a link that leaves mcp/resources is not followed",
  "architecture.resources.scan":
    "Markdown below the three folders is listed, at any depth and in any script",
  "architecture.resources.sections": "a heading anchor returns its section, with subsections",
  "architecture.resources.unique-uris": "no two documents share a URI",
  "architecture.resources.unusable": "a file that is empty or not text is skipped and logged",
  "architecture.resources.uris":
    "a document is read by its slug, case-insensitive and with or without extension, a decision by its number",
  "architecture.search.answer": "results have URI, title, kind, score and excerpt, best first",
  "architecture.search.fresh": "search sees the latest created, changed and deleted files",
  "architecture.search.limits": "the limits are 500 characters per query and 20 results",
  "architecture.search.order": "results with equal scores always have the same order",
  "architecture.search.sections": "the URI names the section, and reading it returns that section",
  "architecture.search.totals": "the total counts every match, regardless of the limit",
  "architecture.search.words":
    "whole words match in all inflected forms, and parts of words do not",
  "architecture.together.budget": "the tools of this shelf alone fit into an agent's token budget",
  "architecture.together.prompts":
    "prompts of all shelves are listed once, and a file cannot take the name of another shelf's prompt",
  "architecture.together.resources": "documents are listed beside the resources of other shelves",
  "architecture.validate.cannot-judge": "without a checkable rule the result is not compliant",
  "architecture.validate.headings":
    "older patterns yield advice and warnings from their headings, but no verdict",
  "architecture.validate.languages": "a rule for certain languages applies only to these",
  "architecture.validate.limits": "the limit is 50,000 characters of code",
  "architecture.validate.linear": "no expression or code can block the server",
  "architecture.validate.must": "a missing required element is reported without a line",
  "architecture.validate.names":
    "a pattern is named by its listed name, last path segment or URI; otherwise the closest name is suggested",
  "architecture.validate.rules":
    "declared rules are checked, and each violation is reported with its line",
  "architecture.validate.severity": "a violation of severity info does not affect compliance",
};
