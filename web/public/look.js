// Applies the stored theme and text size before the first paint, so that a dark page does not flash
// white. It is a separate file because the content security policy forbids inline scripts, and not a
// module because modules run only after parsing. `settings.ts` writes the values that it reads.
for (const name of ["theme", "size"]) {
  try {
    const choice = localStorage.getItem(`lectern-${name}`);
    if (choice) document.documentElement.dataset[name] = choice;
  } catch {
    // Without local storage the defaults apply.
  }
}
