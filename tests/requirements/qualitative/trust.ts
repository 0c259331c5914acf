/** Requirements for the researcher's control over what agents see and do in a project. */
export const qualitativeTrust = {
  "qualitative.coding.borrowed-name": "an agent never codes in the name of a person of the project",
  "qualitative.journey.elicitation":
    "with a trusted client, only an accepted question performs the call; a rejected or unanswered one does not",
  "qualitative.journey.place":
    "a relative project path is resolved from the current folder, or from --root",
  "qualitative.journey.processes": "agents and people in several processes share one project",
  "qualitative.journey.tokens":
    "a preview token is valid after a restart, but not after its data has changed",
  "qualitative.navigate.seen": "showing a passage returns the number of open pages",
  "qualitative.privacy.at-once":
    "marking a source private or public takes effect immediately in every process with the project open",
  "qualitative.privacy.files":
    "a private text is hidden from agents in the project's files, its copies and search",
  "qualitative.privacy.names": "a name conflict does not reveal that a private source exists",
  "qualitative.privacy.notices":
    "notices and the activity list do not mention a private source to agents",
  "qualitative.privacy.numbers": "the number of a private source is answered like a missing one",
  "qualitative.privacy.own-codes":
    "answers about an agent's own codes are the same whether private sources use them or not",
  "qualitative.privacy.person": "a person sees a private source and can make it public again",
  "qualitative.privacy.probes":
    "at least 300 probes on an open project do not expose a private source",
  "qualitative.privacy.proposals":
    "only the person can read the content and result of a proposal, because its source may have become private",
  "qualitative.privacy.quotes": "an agent cannot find out a private text by guessing quotes",
  "qualitative.privacy.read-log": "a log records which texts an agent has read",
  "qualitative.privacy.successor":
    "a new source inherits neither privacy nor codings of a source deleted by another program",
  "qualitative.privacy.unseen": "no operation exposes a private source to an agent",
  "qualitative.privacy.codings":
    "an agent cannot change or delete codings of a private source; a person decides",
  "qualitative.trust.accepted":
    "an accepted proposal is performed in any process, in the agent's name",
  "qualitative.trust.agents":
    "the policy can be set per agent, and using another name does not bypass it",
  "qualitative.trust.edited": "a coding edited by a person is made in the person's name",
  "qualitative.trust.default":
    "by default an agent changes what agents made, and changes of a person's work become proposals",
  "qualitative.trust.elicitation":
    "if approval is required, a client that the person trusts by name and key relays the question",
  "qualitative.trust.failing-call": "a call that would fail is refused instead of proposed",
  "qualitative.trust.no-self-approval":
    "no tool, header or argument lets an agent approve its own proposal",
  "qualitative.trust.one-place": "the policy applies to every operation that writes",
  "qualitative.trust.policy-undo": "a policy change is logged and can be undone",
  "qualitative.trust.preview": "a preview is allowed under any policy",
  "qualitative.trust.reasons": "a proposal has rationale and confidence, and reports its outcome",
  "qualitative.trust.stale": "an accepted deletion does exactly what was shown",
  "qualitative.trust.subject":
    "an accepted proposal applies to the text and items it was made for, or fails",
  "qualitative.trust.tiers": "each operation has one of four tiers, and they work as documented",
  "qualitative.trust.token":
    "every deletion has a preview, and its token does exactly what was shown or nothing",
  "qualitative.trust.token-undo":
    "a deletion confirmed without a token is undone like one with a token, without overwriting anything",
  "qualitative.trust.shown": "a proposal shows the person its quotes, codes and sources",
  "qualitative.trust.untrusted":
    "an answer from an untrusted client approves nothing, whatever name it uses",
};
