/** Where a phrase that is offered to choose from begins and ends, judged word by word in English, Portuguese, Spanish. */

/**
 * The offered phrases that end these words: of "should I use React, Vue" they are React and Vue. `saidOf`: they are what the
 * question is about, as in "is React", so that what it says of them is still to come.
 */
export function itemsBefore(all: readonly string[]): { items: readonly string[]; saidOf: boolean } {
  const items: string[][] = [[]];
  let i = all.length - 1;
  for (; i >= 0; i--) {
    const word = all[i]!;
    if (ARTICLES.has(bare(word)) && items[0]!.length > 0) {
      if (!/,$/.test(all[i - 1] ?? "")) break;
    } else if (/:$/.test(word) || (BEFORE.has(bare(word)) && items[0]!.length > 0)) {
      break;
    } else if (/,$/.test(word) && !(items.length === 1 && items[0]!.length === 0)) {
      items.unshift([word.replace(/,$/, "")]);
    } else {
      items[0]!.unshift(word.replace(/,$/, ""));
    }
  }
  // Words before a comma are another offer only where something introduces them: "faster, X or Y" offers X and Y.
  const stop = i > 0 && ARTICLES.has(bare(all[i]!)) ? i - 1 : i;
  const saidOf = VERBS.has(bare(all[stop] ?? "")) && (stop === 0 || /,$/.test(all[stop - 1]!));
  const introduced =
    stop >= 0
      ? saidOf || /:$/.test(all[stop]!) || OFFERS.has(bare(all[stop]!))
      : !QUESTIONS.has(bare(all[0] ?? ""));
  const short = items.every((item) => item.length <= 3);
  const kept =
    items.length === 1 || (introduced && short)
      ? items
      : items.length > 2 && short
        ? items.slice(1)
        : items.slice(-1);
  return { items: kept.map((item) => item.join(" ")), saidOf };
}

/** The words up to where the question goes on: of "Vue for a small app?" it is Vue. */
export function afterJoint(all: readonly string[]): readonly string[] {
  const rest = ARTICLES.has(bare(all[0] ?? "")) || OFFERS.has(bare(all[0] ?? "")) ? all.slice(1) : all;
  const phrase: string[] = [];
  for (const word of rest) {
    if (phrase.length > 0 && AFTER.has(bare(word))) break;
    phrase.push(word.replace(/[?!.,;:]+$/, ""));
    if (/[?!;,:]$|\.$/.test(word)) break;
  }
  return phrase;
}

export const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

const bare = (word: string) => word.toLowerCase().replace(/^[¿¡("']+|[?!.,;:)"']+$/g, "");

const set = (text: string) => new Set(text.trim().split(/\s+/));

const ARTICLES = set("a an the um uma un una");
/** Verbs that hold out a list. */
const OFFERS =
  set(`use using choose pick prefer select adopt take buy learn with between be called named it usar escolher
  preferir elegir escoger entre`);
/** Words that stand before an offer and are no part of it. */
const BEFORE = new Set([
  ...OFFERS,
  ...set(`is are was were do does did should would could can i we you to as spelled column better best name call go have has cost mean return returns
    é es son ser devo deveria melhor mejor debo qué que`),
]);
/** Words that stand after an offer and are no part of it. */
const AFTER =
  set(`for in on at when if with as to because given which that is are para em no na num numa en con com
  cuando quando se si qual cuál`);
/** Words that begin a question about what follows them. */
const VERBS = set("is are was were do does did can could should would will é es são son");
const QUESTIONS = set("which what for in on when if with how who para em en qual que qué cuál");
