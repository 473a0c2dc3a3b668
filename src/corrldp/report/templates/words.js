/* How words match: by their stem or a synonym; numbers, also Roman ones, only as a whole. */
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
];
const WHOLE = /^(?:[0-9.,]+|[ivxlc]+)$/;
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}+.ε]*[\p{L}\p{N}ε]/gu) ?? [];

function stem(word) {
  return WHOLE.test(word) ? word : word.replace(/(?:ations?|ings?|ies|ied|ed|es|s|ly|e)$/, "");
}

const classOf = new Map(SYNONYMS.flatMap((group) => group.map((word) => [stem(word), stem(group[0])])));
const normal = (word) => classOf.get(stem(word)) ?? [...classOf].find(([start]) => start.length > 4 && word.startsWith(start))?.[1] ?? stem(word);

/* The words of a text, and whether all words of a query are among them; the last one may be unfinished. */
const indexed = (text) => new Set(wordsOf(text).map(normal));

function matches(index, query) {
  return wordsOf(query).every((word) => {
    const wanted = normal(word);
    if (index.has(wanted)) return true;
    return !WHOLE.test(word) && word.length > 2 && [...index].some((other) => other.startsWith(stem(word)));
  });
}
