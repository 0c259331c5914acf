/** An action and its alternative keys. `g h` is a chord: one key after the other. */
interface Shortcut {
  keys: readonly string[];
  act: string;
}

/** The shortcuts of a screen; those without a screen work everywhere. */
interface ShortcutGroup {
  screen?: string;
  title: string;
  acts: readonly Shortcut[];
}

/** All shortcuts. The help lists them, and the palette offers those of the current screen. */
export const shortcutTable: readonly ShortcutGroup[] = [
  {
    title: "Everywhere",
    acts: [
      { keys: ["Ctrl K", "⌘ K"], act: "Go to a command, a screen or a document" },
      { keys: ["/"], act: "Go to the search field" },
      { keys: [","], act: "Settings" },
      { keys: ["?"], act: "Keyboard shortcuts" },
      { keys: ["Esc"], act: "Close the document or dialog, then go to the search field" },
    ],
  },
  {
    screen: "",
    title: "Search and reading",
    acts: [
      { keys: ["j", "↓"], act: "Next result" },
      { keys: ["k", "↑"], act: "Previous result" },
      { keys: ["Enter"], act: "Open a result; in the search field, the first one" },
      { keys: ["l"], act: "Switch between the text and the numbered source" },
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
      { keys: ["x"], act: "Select, to accept several together" },
      { keys: ["u"], act: "Undo the last acceptance" },
    ],
  },
  {
    screen: "objects",
    title: "Objects",
    acts: [{ keys: ["Ctrl Enter"], act: "Run the query" }],
  },
  {
    screen: "coding",
    title: "Coding",
    acts: [
      { keys: ["c"], act: "Code the selection" },
      { keys: ["1–9"], act: "Code it with a recent code" },
      { keys: ["v"], act: "Code it in vivo" },
      { keys: ["s"], act: "Select the whole sentence" },
      { keys: ["→ ←"], act: "In the text: select the next or previous word" },
      { keys: ["Shift →", "Shift ←"], act: "Extend or shrink the selection by a word" },
      { keys: ["Alt →", "Alt ←"], act: "Move the end of a coding by a word" },
      { keys: ["Alt Shift →", "Alt Shift ←"], act: "Move its start by a word" },
      { keys: ["x"], act: "Erase the selection from a coding" },
      { keys: ["Del"], act: "Remove the focused coding" },
      { keys: ["n"], act: "Next coding" },
      { keys: ["p"], act: "Previous coding" },
      { keys: ["u"], act: "Undo" },
      { keys: ["r"], act: "Redo" },
    ],
  },
  {
    screen: "coding",
    title: "Coding inbox",
    acts: [
      { keys: ["j"], act: "Next item" },
      { keys: ["k"], act: "Previous item" },
      { keys: ["a"], act: "Accept the proposed position" },
      { keys: ["e"], act: "Place manually" },
      { keys: ["h"], act: "Place at the selection" },
      { keys: ["d"], act: "Discard" },
    ],
  },
  {
    screen: "repository",
    title: "Repository",
    acts: [
      { keys: ["l"], act: "Refresh" },
      { keys: ["x"], act: "Stop" },
    ],
  },
];
