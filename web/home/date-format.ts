/** `Nov 16, 2026, 2:37 PM`, in the locale of the browser. */
export const dateAndTime = (time: string): string =>
  new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

export const clockTime = (time: string): string =>
  new Date(time).toLocaleTimeString([], { timeStyle: "short" });
