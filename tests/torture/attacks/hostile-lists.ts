/** Expressions and globs with catastrophic matching time. */
export const hostilePatterns: readonly string[] = [
  "(a+)+$",
  "(a|aa)+$",
  "(a*)*b",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(.*)*(.*)*(.*)*x",
  "a{1,5000}{1,5000}",
  "(?=(a+))a*b\\1",
  "((((((((((a*)*)*)*)*)*)*)*)*)*)*b",
  "[",
  "(",
  "(?<=a{1000,2000})b",
  "**/**/**/**/**/**/**/**/*.md",
  "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
  "{1..999999999}",
  "*(*(*(*(*(a)*)*)*)*)b",
  "+(a|+(a|+(a|+(a|b))))c",
  `${"*a".repeat(300)}b`,
  `${"?".repeat(3_000)}`,
  `${"!(".repeat(200)}a${")".repeat(200)}`,
  `${"a".repeat(50_000)}`,
  '"'.repeat(999),
  `${"-".repeat(500)}a`,
  `${"(".repeat(500)}`,
  "\\".repeat(999),
  "a* ".repeat(2_000),
];

const entities = (depth: number): string =>
  Array.from(
    { length: depth },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  ).join("");

/** Documents that reference outside files, expand excessively or are invalid, by file name. */
export const hostileDocuments: Readonly<Record<string, string>> = {
  "outside entity.qdc":
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><CodeBook><Codes><Code name="&x;"/></Codes></CodeBook>',
  "entity bomb.qdc": `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">${entities(12)}]><CodeBook><Codes><Code name="&e12;"/></Codes></CodeBook>`,
  "outside entity.qdpx":
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Project name="&x;"/>',
  "entity bomb.qdpx": `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">${entities(12)}]><Project name="&e12;"/>`,
  "outside source.qdpx":
    '<Project name="x"><Sources><TextSource guid="00000000-0000-0000-0000-000000000001" name="a" plainTextPath="internal://../../../etc/passwd"/></Sources></Project>',
  "absolute source.qdpx":
    '<Project name="x"><Sources><TextSource guid="00000000-0000-0000-0000-000000000001" name="a" plainTextPath="absolute:///etc/passwd"/></Sources></Project>',
  "deep.qdc": `<CodeBook><Codes>${'<Code name="a">'.repeat(20_000)}`,
  "deep.html": "<div>".repeat(50_000),
  "script.html": "<script>fetch('http://localhost')</script><p>Read me</p>",
  "deep.rtf": `{\\rtf1 ${"{".repeat(100_000)}`,
  "endless.rtf": `{\\rtf1 ${"\\u-1?".repeat(50_000)}}`,
  "broken.pdf":
    "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R >>\nendobj\ntrailer << /Root 1 0 R >>",
  "wide.csv": `${"a,".repeat(100_000)}\n`,
  "quotes.csv": '"'.repeat(100_001),
  "times.srt": "1\n99999:99:99,999 --> -1:00\nx\n".repeat(2_000),
};

/** Host names under which a foreign page may reach this machine. */
export const hostileNames: readonly string[] = [
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "evil.example:18765",
  "localhost@evil.example",
  "evil.example#localhost",
  "localhost:80:80",
  "localhost:999999",
  "0.0.0.0",
  "127.1",
  "2130706433",
  "0x7f000001",
  "017700000001",
  "[::ffff:127.0.0.1]",
  "[::]",
  "[::1",
  "169.254.169.254",
  "192.168.0.1",
  "localhost.",
  "LOCALHOST\t.evil.example",
  "null",
  "file://",
  "xn--localhost-9ya",
  "localhost,evil.example",
  "localhost evil.example",
  "*",
];
