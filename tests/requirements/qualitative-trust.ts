/** How the researcher stays in charge of what agents see and do in a project. */
export const qualitativeTrust = {
  "qualitative.coding.borrowed-name": "an agent never codes in the name of a person of the project",
  "qualitative.journey.elicitation":
    "a real client passes the question on, and a yes, a no and silence are kept apart",
  "qualitative.journey.place":
    "a path of a project starts from where the person is, or from --root",
  "qualitative.journey.processes": "agents and people in several processes share one project",
  "qualitative.journey.tokens": "a token holds after a restart, for what it showed alone",
  "qualitative.navigate.seen": "showing a passage tells how many open pages see it",
  "qualitative.privacy.at-once":
    "marking a source private, and taking the mark back, holds at once in every process that has the project open",
  "qualitative.privacy.files":
    "a private text reaches no agent by way of the project's files, its copies or the search",
  "qualitative.privacy.names":
    "nobody learns from the name of a new source that a private one has it",
  "qualitative.privacy.notices":
    "notices and the list of activity tell agents of no private source",
  "qualitative.privacy.numbers":
    "the number of a private source is answered as one that is not there",
  "qualitative.privacy.person": "a private source is there for the person, who can show it again",
  "qualitative.privacy.probes":
    "a campaign of at least 300 probes on an open project finds no way to a private source",
  "qualitative.privacy.proposals":
    "what a proposal says and did is read by the person alone, since a source may be private by now",
  "qualitative.privacy.quotes": "an agent cannot find out what a private text says by guessing",
  "qualitative.privacy.read-log": "a log says what text an agent has read",
  "qualitative.privacy.successor":
    "a new source inherits neither privacy nor codings of one that another program has deleted",
  "qualitative.privacy.unseen": "a private source reaches no agent by any operation",
  "qualitative.privacy.whole":
    "an agent changes and deletes no coding of a private source; a person decides",
  "qualitative.trust.accepted": "an accepted proposal is performed anywhere, in the agent's name",
  "qualitative.trust.agents": "the policy is set per agent, and a borrowed name frees nobody",
  "qualitative.trust.edited": "what a person has edited is coded in the person's name",
  "qualitative.trust.default":
    "by default an agent changes what agents made, and what a person made or edited becomes a proposal",
  "qualitative.trust.elicitation":
    "where a yes is required, a client that the person trusts by name and key relays the question",
  "qualitative.trust.hopeless": "a call that cannot be done is refused and not proposed",
  "qualitative.trust.no-self-approval":
    "no tool, header or argument lets an agent approve its own proposal",
  "qualitative.trust.one-place": "the policy holds for every operation that writes",
  "qualitative.trust.policy-undo": "a change of the policy is in the log and can be undone",
  "qualitative.trust.preview": "a preview is free whatever the policy",
  "qualitative.trust.reasons": "a proposal carries rationale and confidence, and tells its end",
  "qualitative.trust.stale": "an accepted deletion does exactly what was shown",
  "qualitative.trust.subject":
    "an accepted proposal acts on the words and things that it was about, or not at all",
  "qualitative.trust.tiers": "each operation has one of four tiers, and they do what they say",
  "qualitative.trust.token":
    "whatever deletes can be seen first, and a token does what was shown or nothing",
  "qualitative.trust.token-undo":
    "what was confirmed without a token is undone as with one, and nothing else is overwritten",
  "qualitative.trust.told": "a proposal names its words, codes and sources to the person",
  "qualitative.trust.untrusted":
    "an answer of an agent's own client approves nothing, whatever name it gives itself",
};
