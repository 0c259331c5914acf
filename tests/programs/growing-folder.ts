import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const vocabulary =
  "the lamp is lit when ships come near and keeper writes down every hour of night in a book that nobody reads before winter".split(
    " ",
  );

/** The text that some documents share. */
const shared = "## Licence\n\nThis page may be copied, changed and sold by whoever likes to.\n";

/**
 * A folder with a growing number of documents: most are small, a few are long, some share a part,
 * and some are rewritten while their old content stays in another file.
 */
export function openGrowingFolder(folder: string, random: () => number) {
  const versions: number[] = [];
  mkdirSync(folder, { recursive: true });
  const fileOf = (number: number) => join(folder, `${number}.md`);

  function paragraph(length: number): string {
    return Array.from({ length }, () => vocabulary[Math.floor(random() * vocabulary.length)]).join(
      " ",
    );
  }

  function page(name: string): string {
    const sections = random() < 0.01 ? 40 : 1 + Math.floor(random() * 2);
    const body = Array.from({ length: sections }, (_, index) => {
      const length = random() < 0.05 ? 300 : 10 + Math.floor(random() * 30);
      return `## Part ${index}\n\n${paragraph(length)}.\n`;
    });
    return [`# Page ${name}\n`, ...body, ...(random() < 0.2 ? [shared] : [])].join("\n");
  }

  return {
    /** Writes this many files; some of them replace existing files. */
    write(count: number): void {
      for (let number = 0; number < count; number++) {
        const old = Math.floor(random() * versions.length);
        const isNew = versions.length === 0 || random() < 0.9;
        const number = isNew ? versions.push(0) - 1 : old;
        const version = versions[number] ?? 0;
        if (!isNew) copyFileSync(fileOf(number), join(folder, `${number}-${version}.md`));
        versions[number] = version + 1;
        writeFileSync(fileOf(number), page(`${number}, version ${version}`));
      }
    },
  };
}
