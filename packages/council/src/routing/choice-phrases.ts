/** Where a phrase that is offered to choose from begins and ends, judged word by word in the languages of the router. */

export interface ItemsBefore {
  readonly items: readonly string[];
  /** They are the subject of the question, as in "is React", so that its predicate is still to come. */
  readonly isSubject: boolean;
  /** The word before the first of them; empty when they begin the sentence. */
  readonly introduction: string;
}

/** The offered phrases that end these words: of "should I use React, Vue" they are React and Vue. */
export function itemsBefore(all: readonly string[]): ItemsBefore {
  const items: { words: string[]; start: number }[] = [{ words: [], start: all.length }];
  let i = all.length - 1;
  for (; i >= 0; i--) {
    const word = all[i]!;
    const [first] = items as [{ words: string[]; start: number }];
    if (ARTICLES.has(bare(word)) && first.words.length > 0) {
      if (!/,$/.test(all[i - 1] ?? "")) break;
    } else if (/:$/.test(word) || (BEFORE.has(bare(word)) && first.words.length > 0)) {
      break;
    } else if (/,$/.test(word) && !(items.length === 1 && first.words.length === 0)) {
      items.unshift({ words: [word.replace(/,$/, "")], start: i });
    } else {
      first.words.unshift(word.replace(/,$/, ""));
      first.start = i;
    }
  }
  // Words before a comma are another offer only where something introduces them: "faster, X or Y" offers X and Y.
  const stop = i > 0 && ARTICLES.has(bare(all[i]!)) ? i - 1 : i;
  const isSubject = VERBS.has(bare(all[stop] ?? "")) && (stop === 0 || /,$/.test(all[stop - 1]!));
  const introduced =
    stop >= 0
      ? isSubject || listsNounPhrases() || /:$/.test(all[stop]!) || OFFERS.has(bare(all[stop]!))
      : !QUESTIONS.has(bare(all[0] ?? ""));
  const short = items.every(({ words }) => words.length <= 3);
  const kept =
    items.length === 1 || (introduced && short)
      ? items
      : items.length > 2 && short
        ? items.slice(1)
        : items.slice(-1);
  const start = kept[0]!.start;
  const before = ARTICLES.has(bare(all[start - 1] ?? "")) ? start - 2 : start - 1;
  return { items: kept.map(({ words }) => words.join(" ")), isSubject, introduction: all[before] ?? "" };

  /** Each with its article: "is a cat an animal, a vegetable". After a preposition the first is something else: "at a party, a cat". */
  function listsNounPhrases(): boolean {
    const articleBefore = ({ start }: { start: number }) => ARTICLES.has(bare(all[start - 1] ?? ""));
    return items.every(articleBefore) && !PREPOSITIONS.has(bare(all[stop]!));
  }
}

/** The words up to where the question goes on: of "Vue for a small app?" it is Vue. */
export function afterJoint(all: readonly string[]): readonly string[] {
  // "In Africa or in Asia": the preposition is repeated, and not part of the offer.
  const offered = PREPOSITIONS.has(bare(all[0] ?? "")) && all.length > 1 ? all.slice(1) : all;
  const leads = ARTICLES.has(bare(offered[0] ?? "")) || OFFERS.has(bare(offered[0] ?? ""));
  const rest = leads ? offered.slice(1) : offered;
  const phrase: string[] = [];
  for (const word of rest) {
    if (phrase.length > 0 && AFTER.has(bare(word))) break;
    phrase.push(word.replace(/(?<![?!.,;:])[?!.,;:]+$/, ""));
    if (/[?!;,:]$|\.$/.test(word)) break;
  }
  return phrase;
}

/** What follows the last preposition: of "stored in UTC" it is UTC. */
export function afterPreposition(item: string): string {
  const all = words(item);
  const at = all.findLastIndex((word) => PREPOSITIONS.has(bare(word)));
  const rest = all.slice(at + 1);
  return rest.length > 0 ? rest.slice(ARTICLES.has(bare(rest[0]!)) ? 1 : 0).join(" ") : item;
}

export const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** A number in figures or words, or "more": with "or" between two of these, a quantity is meant and not a choice. */
export const isQuantity = (word: string) => /^[\d.,%€$]+$/.test(bare(word)) || QUANTITIES.has(bare(word));

/** Whether the question is after something else than the phrases in it: "who speaks Spanish or Portuguese?" */
export const asksForOther = (all: readonly string[]) =>
  QUESTION_WORDS.has(bare(all[0] ?? "")) ||
  (PREPOSITIONS.has(bare(all[0] ?? "")) && QUESTION_WORDS.has(bare(all[1] ?? "")));

/**
 * "Is there life on Mars or Venus?" asks whether, and its answer is yes or no: what stands around the "or" is where or what to look for.
 */
export const asksForExistence = (sentence: string) => EXISTENCE.test(sentence);

/** Whether these words lead over to an offer: "which is faster," or "which is better". */
export const leadsToOffer = (word: string) => /[,:;]$/.test(word) || COMPARATIVES.has(bare(word));

/** Numbers are compared, or named after a colon; else they are a quantity. */
export const offersNumbers = (word: string) => /:$/.test(word) || COMPARATIVES.has(bare(word));

const EXISTENCE =
  /(?:^|,)\s*¿?(?:(?:is|are|was|were|will|would|could|can|has|have) there|gibt es|gab es|hay|había|existen?|há|havia|existem?|y a-t-il|est-ce qu['’]il y a)(?!\p{L})/iu;

const bare = (word: string) => word.toLowerCase().replace(/^[¿¡("']+|(?<![?!.,;:)"'])[?!.,;:)"']+$/g, "");

const set = (text: string) => new Set(text.trim().split(/\s+/));

const ARTICLES = set("a an the um uma un una der die das den dem ein eine einen einem le la les une des du");
/** Verbs that hold out a list. */
const OFFERS =
  set(`use using choose pick prefer select adopt take buy learn with between be called named it usar escolher
  preferir elegir escoger entre utiliser choisir`);
/** Words that stand before an offer and are not part of it. */
const BEFORE = new Set([
  ...OFFERS,
  ...set(`is are was were do does did should would could can i we you to as spelled column better best name call go have has cost mean return returns
    é es son ser devo deveria melhor mejor debo qué que
    ist sind war soll sollte sollen sollten ich wir man besser
    est sont faut-il vaut-il mieux dois-je devrais-je`),
]);
/** Words that stand after an offer and are not part of it. */
const AFTER =
  set(`for in on at of when if with as to because given which that is are para em no na num numa en con com
  cuando quando se si qual cuál
  für bei wenn mit als verwenden benutzen nutzen nehmen besser schneller größer kleiner
  pour dans avec quand lorsque`);
/** Words that begin a question about what follows them. */
const VERBS = set("is are was were do does did can could should would will é es são son ist sind est sont");
const QUESTIONS = set(
  "which what for in on when if with how who para em en qual que qué cuál welche welcher welches was wer quel quelle pour",
);
const QUESTION_WORDS = set(`what who whom whose when where why how which
  que qué quem quando onde quanto quantos quanta quantas qual quais como por
  quién quien cuándo dónde cuánto cuántos cuánta cuántas cuál cuáles cómo
  was wer wen wem wann wo wie warum welche welcher welches welchen
  qui quand où combien quel quelle quels quelles pourquoi comment`);
const PREPOSITIONS = set(
  "in on at with as to by for from over under of into em no na de para en con por mit von zu bei auf über dans sur avec par",
);
const COMPARATIVES =
  set(`better faster slower larger bigger smaller older newer higher lower cheaper easier simpler safer cleaner stronger
  longer shorter heavier lighter between melhor mejor besser mieux`);
const QUANTITIES =
  set(`one two three four five six seven eight nine ten twenty hundred once twice more fewer less most so higher above later
  um uma dois duas três quatro cinco seis sete oito nove dez mais menos
  uno dos tres cuatro siete ocho nueve diez más
  ein eine zwei drei vier fünf sechs sieben acht neun zehn mehr weniger
  un deux trois quatre cinq sept huit neuf dix plus moins`);
