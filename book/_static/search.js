/* The order of what a search finds: statements at the number that is asked for, then pages by how much of the query their
   title or one of their words says (words of the glossary, and of words.yml), chapters before claims and figures. Sphinx
   finds; this script ranks, and adds what it knows of numbers and words. */
"use strict";

(function () {
  var stemmer = new Stemmer();

  function stems(text) {
    var plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/is(e[ds]?|ing|ation)\b/g, "iz$1");
    return splitQuery(plain).filter(function (word) { return stopwords.indexOf(word) < 0; })
      .map(function (word) { return stemmer.stemWord(word); });
  }

  /* The share of the words of a query that a text says, and the share of the text that they are. */
  function shares(asked, text) {
    var own = stems(text), met = asked.filter(function (word) { return own.indexOf(word) >= 0; }).length;
    return [met / (asked.length || 1), met / (own.length || 1)];
  }

  function kind(page) { return page.indexOf("claims/fig-") === 0 ? 0 : page.indexOf("claims/") === 0 ? 6 : 20; }

  /* The pages whose words, from the glossary and from words.yml, have all words of the query. */
  function known(asked) {
    var index = Search._index, words = window.mfNumbers.table.words;
    return Object.keys(words).map(function (page) {
      var most = Math.max.apply(null, words[page].map(function (entry) {
        var both = shares(asked, entry);
        return both[0] === 1 ? both[1] : 0;
      }));
      var at = index.docnames.indexOf(page.split("#")[0]), anchor = page.slice(index.docnames[at].length);
      return [index.docnames[at], index.titles[at], anchor, null, most && 40 + 40 * most + kind(page) - (anchor ? 1 : 0), index.filenames[at]];
    }).filter(function (item) { return item[4]; });
  }

  function numbers(query) {
    var index = Search._index;
    return window.mfNumbers.find(query).map(function (one, place) {
      var page = "claims/" + one.id, at = index.docnames.indexOf(page);
      return [page, index.titles[at], "", one.at.concat(one.verdict).join("; "), 1000 - place, index.filenames[at]];
    });
  }

  var perform = Search._performSearch;
  Search._performSearch = function (query) {
    var asked = stems(query), first = numbers(query), met = {};
    var found = perform.apply(Search, arguments);
    found.forEach(function (item) {
      var both = shares(asked, item[1].split(" > ").pop());
      item[4] = 30 * both[0] + 25 * both[0] * both[1] + kind(item[0]) + Math.min(item[4], 15) / 5;
    });
    found = found.concat(known(asked), first).sort(function (one, other) { return other[4] - one[4]; });
    return found.filter(function (item) {
      var whole = item[0] + (kind(item[0]) === 20 ? item[2] : ""), again = met[whole] || (!item[2] && met[item[0]]);
      met[whole] = met[item[0]] = true;
      return !again;
    }).reverse();
  };
})();
