/**
 * Whether a text is English, the only language of the bundled models. Compares counts of English
 * and foreign function words; non-English letters count against English. Text without either, such
 * as a short query or code, counts as English. The word lists differ from `document-language.ts`:
 * they leave out words that are common in English texts about programs ("no", "var", "pro").
 */
export function isEnglish(text: string): boolean {
  const start = text.slice(0, maxSampleLength).toLowerCase();
  const letterCount = start.match(/\p{L}/gu)?.length ?? 0;
  const otherScripts = start.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0;
  if (otherScripts > letterCount / 10) return false;
  const words = start.match(/\p{L}[\p{L}\p{M}']*/gu) ?? [];
  const accented = words.filter((word) => /\P{ASCII}/u.test(word)).length;
  if (accented > words.length / 3) return false;
  const english = words.filter((word) => englishWords.has(word)).length;
  const foreign = words.filter((word) => foreignWords.has(word)).length;
  if (english !== foreign) return english > foreign;
  return accented === 0;
}

const maxSampleLength = 2_000;

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** English function words that are not frequent words of another language. */
const englishWords = wordSet(
  `about all also among and any be because been before being between but by can could did does each
  every for from had has have her his how if into is it it's its just many more most much my not
  of only or other our out should some such than that the their them then there these they this
  those through to under until use used using we were what what's when where which while who whose
  why with within without would you your`,
);

/**
 * Function words of German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Polish,
 * Romanian, Turkish, Indonesian and Filipino, without those that are also English words or program
 * keywords, such as "comment" and "var".
 */
const foreignWords = wordSet(
  `aber als auch auf aus bei beim das dem den der des dich durch ein eine einem einen einer eines
  für gegen hatte ich ihr im ist kann kein keine mein mich mit nach nicht noch nur oder ohne sein
  sich sie sind sondern über um und uns vom von vor wann warum weil welche welchem welchen welcher
  welches wen wenn wer werden wie wieder wieviel wieviele wir wird wo worauf wurde wurden zu zum
  zur zwischen
  à au aux avec ce ces cette chez dans de du elle elles en est et été être il ils je la le les
  leur leurs lui mais même ne nous où pas pourquoi quand que quel quelle quelles quels qui sa sans
  se ses si sont sur tous tout très un une vers vous
  algunos como cómo cuál cuándo cuánto cuántos cuya del desde donde dónde el ella ellos entre
  esta está estas este esto fue hasta lo más muy nos otra otro para pero por porque qué quién según
  sobre su sus también tiene una unos y ya
  alla anche che cosa dal dalla degli dei della delle di è gli il nel nella nelle perché più quale
  quali quanto quando questa questo sono stato tra
  ao aos às até com da das dos ela ele em essa esse estão foi isso já na nas não onde ou pela pelo
  quais qual quem são seu seus sua suas tem um uma
  aan bij dat deze dit een er geen haar heb heeft het hij hoe ik kan maar naar niet ook te uit
  veel voor waar waarom wanneer wat werd wij worden wordt zich zijn zo
  att av det där ett från för har hur inte när och på som vad vilka vilken är
  af blev eller hvad hvem hvilken hvor hvordan hvorfor ikke og til
  czy dla gdzie jak jaka jaki jest kiedy kto które który nie oraz przez się że
  când cât câte câți cine cu din este fost în pentru prin şi și sunt unde
  ama bir bu çok daha hangi için ile kaç kadar kim kimdi kimdir ne nasıl neden nedir nerede neydi
  olan olarak ve zaman
  adalah ang apa bagaimana dan dari dengan ini itu mga pada sa tidak untuk yang`,
);
