// Puts the reader's choices on the page before anything of it is drawn, so that a dark room stays
// dark. It is a file of its own because the page's policy allows no script written into it, and no
// module because those wait until the page has been read. `settings.ts` writes what it reads.
for (const name of ["theme", "size"]) {
  try {
    const choice = localStorage.getItem(`lectern-${name}`);
    if (choice) document.documentElement.dataset[name] = choice;
  } catch {
    // A browser that keeps nothing shows the usual look.
  }
}
