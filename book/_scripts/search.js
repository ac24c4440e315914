/* The order of what a search finds: statements at the number that is asked for, then
   pages by how much of the query their title or one of their words says (words of the
   glossary, and of words.yml), chapters before claims and figures. Sphinx finds; this
   script ranks, and adds what it knows of numbers and words. */

/* global Search, Stemmer, splitQuery, stopwords */

import { dataOf } from "./lib/data-script.js";
import { find } from "./lib/find-statement.js";

const TABLE = "numbers-table.js";
/* What a page gets for its kind. */
const FIGURE = 0;
const CLAIM = 6;
const CHAPTER = 20;
/* What it gets where a word of the glossary, or of words.yml, is what is asked for. */
const WORD = 40;
/* What a title gets that has all words of a query, and nothing else. */
const ALL_WORDS = 30;
const NOTHING_ELSE = 25;
/* The most that counts of the score of Sphinx, and its part. */
const MOST_SCORE = 15;
const SCORE_PART = 5;
/* What the first statement gets at the number that is asked for. */
const FIRST = 1000;

const stemmer = new Stemmer();

function stems(text) {
  const plain = text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/is(e[ds]?|ing|ation)\b/g, "iz$1");
  const words = splitQuery(plain).filter((word) => stopwords.indexOf(word) < 0);
  return words.map((word) => stemmer.stemWord(word));
}

/* Return the share of the words of a query that a text says, and the share of the text
   that they are. */
function shares(asked, text) {
  const own = stems(text);
  const count = asked.filter((word) => own.includes(word)).length;
  return [count / (asked.length || 1), count / (own.length || 1)];
}

function kindScore(page) {
  if (page.startsWith("claims/fig-")) {
    return FIGURE;
  }
  return page.startsWith("claims/") ? CLAIM : CHAPTER;
}

/* Return the score of a page of which words are known, 0 where none is asked for. */
function wordScore(asked, entries) {
  const scores = entries.map((entry) => {
    const [ofQuery, ofText] = shares(asked, entry);
    return ofQuery === 1 ? ofText : 0;
  });
  const most = Math.max(...scores);
  return most && WORD + WORD * most;
}

/* Return the pages whose words, from the glossary and from words.yml, have all words of
   the query. */
function knownPages(asked, { words }) {
  const { docnames, titles, filenames } = Search._index;
  const results = [];
  for (const [page, entries] of Object.entries(words)) {
    const score = wordScore(asked, entries);
    if (score) {
      const at = docnames.indexOf(page.split("#")[0]);
      const anchor = page.slice(docnames[at].length);
      const place = score + kindScore(page) - (anchor ? 1 : 0);
      results.push([docnames[at], titles[at], anchor, null, place, filenames[at]]);
    }
  }
  return results;
}

/* Return the pages of the statements at the number that is asked for. */
function statements(query, table) {
  const { docnames, titles, filenames } = Search._index;
  return find(table, query).claims.map(({ id, at, verdict }, place) => {
    const page = `claims/${id}`;
    const index = docnames.indexOf(page);
    const words = [...at, verdict].join("; ");
    return [page, titles[index], "", words, FIRST - place, filenames[index]];
  });
}

/* Give a result of Sphinx its place among the others. */
function rank(asked, item) {
  const [page, title, , , score] = item;
  const [ofQuery, ofTitle] = shares(asked, title.split(" > ").pop());
  const byTitle = ALL_WORDS * ofQuery + NOTHING_ELSE * ofQuery * ofTitle;
  item[4] = byTitle + kindScore(page) + Math.min(score, MOST_SCORE) / SCORE_PART;
}

/* Return results without those whose page, or part of a chapter, is there already. */
function withoutRepeats(results) {
  const seen = new Set();
  return results.filter(([page, , anchor]) => {
    const whole = kindScore(page) === CHAPTER ? page + anchor : page;
    const isRepeat = seen.has(whole) || (!anchor && seen.has(page));
    seen.add(whole);
    seen.add(page);
    return !isRepeat;
  });
}

const perform = Search._performSearch;
Search._performSearch = function (query, ...more) {
  const table = dataOf(TABLE);
  const asked = stems(query);
  const results = perform.call(Search, query, ...more);
  for (const item of results) {
    rank(asked, item);
  }
  const all = [...results, ...knownPages(asked, table), ...statements(query, table)];
  all.sort((one, other) => other[4] - one[4]);
  return withoutRepeats(all).reverse();
};
