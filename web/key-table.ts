/** An act, and the keys that do it; each of them alone. `g h` is struck one after the other. */
interface KeyAct {
  keys: readonly string[];
  act: string;
}

/** What keys do on a screen; everywhere where it has no name. */
interface KeyGroup {
  screen?: string;
  title: string;
  acts: readonly KeyAct[];
}

/** The one table of keys: the sheet shows it, and the palette offers what is to be done on a screen. */
export const keyTable: readonly KeyGroup[] = [
  {
    title: "Everywhere",
    acts: [
      { keys: ["Ctrl K", "⌘ K"], act: "Find an act, a screen or a document" },
      { keys: ["/"], act: "Go to the search field" },
      { keys: [","], act: "Settings" },
      { keys: ["?"], act: "This sheet" },
      { keys: ["Esc"], act: "Close the document or the window, then back to the field" },
    ],
  },
  {
    screen: "",
    title: "Search and reading",
    acts: [
      { keys: ["j", "↓"], act: "Next result" },
      { keys: ["k", "↑"], act: "Previous result" },
      { keys: ["Enter"], act: "Open a result; in the field, the first one" },
      { keys: ["l"], act: "Text or source of the document, with its lines" },
      { keys: ["o"], act: "Outline of the document" },
    ],
  },
  {
    screen: "review",
    title: "Review",
    acts: [
      { keys: ["j"], act: "Next proposal" },
      { keys: ["k"], act: "Previous proposal" },
      { keys: ["a"], act: "Accept" },
      { keys: ["e"], act: "Edit before accepting" },
      { keys: ["r"], act: "Reject with a reason" },
      { keys: ["s"], act: "Skip" },
      { keys: ["x"], act: "Tick, to accept several together" },
      { keys: ["u"], act: "Undo what was just accepted" },
    ],
  },
  {
    screen: "objects",
    title: "Objects",
    acts: [{ keys: ["Ctrl Enter"], act: "Run the statement" }],
  },
  {
    screen: "coding",
    title: "Coding",
    acts: [
      { keys: ["c"], act: "Code the selection" },
      { keys: ["1–9"], act: "Code it with a recent code" },
      { keys: ["v"], act: "Code it by its own words" },
      { keys: ["s"], act: "Select the whole sentence" },
      { keys: ["→ ←"], act: "In the text: select the next or the previous word" },
      { keys: ["Shift →", "Shift ←"], act: "Select a word more or less" },
      { keys: ["Alt →", "Alt ←"], act: "Let a coding end a word later or earlier" },
      { keys: ["Alt Shift →", "Alt Shift ←"], act: "Let it begin a word later or earlier" },
      { keys: ["x"], act: "Erase the selection from a coding" },
      { keys: ["Del"], act: "Remove the coding that has the focus" },
      { keys: ["n"], act: "Next coding" },
      { keys: ["p"], act: "Previous coding" },
      { keys: ["u"], act: "Undo" },
      { keys: ["r"], act: "Redo" },
    ],
  },
  {
    screen: "coding",
    title: "Inbox of coding",
    acts: [
      { keys: ["j"], act: "Next that waits" },
      { keys: ["k"], act: "Previous that waits" },
      { keys: ["a"], act: "Accept the proposed place" },
      { keys: ["e"], act: "Look for a place by hand" },
      { keys: ["h"], act: "Place it where the selection is" },
      { keys: ["d"], act: "Let go of it" },
    ],
  },
  {
    screen: "repository",
    title: "Repository",
    acts: [
      { keys: ["l"], act: "Look again" },
      { keys: ["x"], act: "Stop looking" },
    ],
  },
];
