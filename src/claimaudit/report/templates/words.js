/* How words match: by their stem or a synonym; numbers, also Roman ones, only as a whole, and with their "Figure". */
const SYNONYMS = [
  ["outperform", "beat", "better", "lower", "below", "superior", "smaller", "less", "reduc", "win"],
  ["higher", "above", "larger", "more", "exceed", "worse", "lose"],
  ["error", "mse", "mae", "accuracy", "accurate", "distance"],
  ["grow", "rise", "increas", "widen"],
  ["fall", "declin", "decreas", "shrink", "narrow"],
  ["epsilon", "ε", "budget"],
  ["leak", "cpl", "leakage"],
  ["runtime", "time", "second", "cost", "fast"],
  ["fig", "figure"],
  ["eq", "equation"],
  ["licence", "license"],
  ["rerun", "repeat", "regenerate", "again", "redraw"],
  ["factor", "times", "ratio"],
  ["share", "fraction", "proportion"],
  ["best", "high", "highest"],
  ["wrong", "mistake", "incorrect", "disagree", "unfair", "complain", "object", "contest"],
  ["attack", "adversar"],
  ["theorem", "lemma", "corollary", "proposition"],
  ["network", "offline", "internet", "download"],
];
const PLACES = new Set(["fig", "tabl", "section", "appendix", "eq", "theorem", "lemma", "algorithm"]);
const JOINING = new Set(["and", "or", "to"]);
const WHOLE = /^(?:[0-9.,]+|[ivxlc]+)$/;
const wordsOf = (text) => text.toLowerCase().replace(/['’]s\b|(?<=\bre)-/g, "").replace(/copy(ing)? probabilit(y|ies)/g, "p_y").match(/[\p{L}\p{N}+.ε]*[\p{L}\p{N}ε]/gu) ?? [];

function stem(word) {
  return WHOLE.test(word) ? word : word.replace(/(?<=..\S)(?:ations?|ings?|ies|ied|ed|es|s|(?<=\S{4})ly|y|e)$/, "");
}

/* Words of questions: they need not occur in what is found. */
const ASKING = new Set(
  "a an the no of in on at by for from with to and or than is are was does do has have how much many what which who where when why i my it its this that should use mean claim say can would instead come exampl per existing".split(" ").map(stem),
);
const classOf = new Map(SYNONYMS.flatMap((group) => group.map((word) => [stem(word), stem(group[0])])));
const normal = (word) => classOf.get(stem(word)) ?? [...classOf].find(([start]) => start.length > 4 && word.startsWith(start))?.[1] ?? stem(word);

/* The words of a text; a number after "Figure" and the like is one with it, in Arabic digits: "fig 3". */
const ROMAN = { i: 1, v: 5, x: 10 };
const arabic = (word) => (!/^[ivx]+$/.test(word) ? word
  : [...word].reduce((sum, one, at) => sum + (ROMAN[one] < ROMAN[word[at + 1]] ? -ROMAN[one] : ROMAN[one]), 0));
function terms(text) {
  let place = "";
  return wordsOf(text).map((word) => {
    if (WHOLE.test(word)) return place ? `${place} ${arabic(word)}` : word;
    const term = normal(word);
    if (!JOINING.has(word)) place = PLACES.has(term) ? (term === "theorem" ? stem(word) : term) : "";
    return term;
  });
}

/* The terms of a text, and those of a query that it lacks; a word may be unfinished. */
const indexed = (text) => new Set(terms(text).flatMap((term) => [term, ...term.split(" ")]));

/* What a query asks for; of "theorem or lemma", either. */
function asked(query) {
  const parts = query.split(/ or /i).map(terms), all = parts[0];
  for (const [first, ...others] of parts.slice(1)) all.push(`${all.pop()}|${first}`, ...others);
  const telling = all.filter((term) => !ASKING.has(term));
  return telling.length ? telling : all;
}

const ANY = "anynumber"; // in an index: it has every number
function lacking(index, words) {
  return words.filter((either) => either.split("|").every((term) => {
    if (index.has(term) || (index.has(ANY) && /^[0-9.,]+$/.test(term))) return false;
    return term.length <= 2 || /[ 0-9]/.test(term) || ![...index].some((other) => other.startsWith(term));
  }));
}

/* The things, each with an `index`, that lack the fewest of some words, and how many they lack; none if all lack all. */
function nearest(things, words) {
  const lacks = things.map(({ index }) => lacking(index, words).length);
  const fewest = Math.min(...lacks);
  return [things.filter((_, place) => lacks[place] === fewest && (fewest < words.length || !fewest)), fewest];
}
