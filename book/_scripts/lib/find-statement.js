/* The statements that a reader means by "v3 thm 5", "AISTATS Theorem 5", "(43)" or
   "MBDE-L9". The table is made from the ledger. */

const SHORT = {
  thm: "theorem",
  eqn: "equation",
  eqs: "equation",
  defn: "definition",
  fn: "footnote",
  "§": "section",
};
const NUMBERED = /(?:([a-z]+|§)\.?\s*)?(\()?(\d+(?:\.\d+)?)\)?/g;
const NAME = /^[a-z0-9]+-[\w.-]+$/;
/* The least letters of a word that stand for the whole. */
const BEGINNING = 4;

function says(text, word) {
  return text.words.some(
    (own) => own === word || (word.length >= BEGINNING && own.startsWith(word)),
  );
}

/* Return the texts that most words of a query name, all where they name none, and the
   words that name no text. */
function named(words, texts) {
  const counts = texts.map((text) => words.filter((word) => says(text, word)).length);
  const most = Math.max(...counts);
  const rest = words.filter((word) => !texts.some((text) => says(text, word)));
  return {
    texts: texts.filter((_, at) => counts[at] === most),
    rest: rest.join(" "),
  };
}

/* Return the kind of statement that a word says, or begins to say. */
function kindOf(word, bracket, kinds) {
  const beginning = word?.replace(/s$/, "");
  const kind = SHORT[word] || kinds.find((name) => word && name.startsWith(beginning));
  return kind || (bracket && "equation");
}

/* Return the kind and the number that a text names, or null: "thm 5", "T5", "(43)",
   "eq. (43)"; a number alone is of any kind. */
function wanted(text, kinds) {
  for (const [, word, bracket, number] of text.matchAll(NUMBERED)) {
    const kind = kindOf(word, bracket, kinds);
    if (kind || !word) {
      return { kind: kind || "", number, alone: !word && !bracket };
    }
  }
  return null;
}

function claimOf(table, id, at = []) {
  const [title, verdict] = table.claims[id];
  return { id, title, verdict, at };
}

/* Return the claim of a name, or those whose names it begins. */
function byName(table, asked) {
  const ids = Object.keys(table.claims);
  const exact = ids.filter((id) => id.toLowerCase() === asked);
  const begun = ids.filter((id) => id.toLowerCase().startsWith(`${asked}-`));
  return (exact.length ? exact : begun).map((id) => claimOf(table, id));
}

/* Add the claims of rows to those that were found; one at two places is one. */
function collect(table, text, rows, claims) {
  for (const [, , where, ids] of rows) {
    const at = `${where} of ${text.title}`;
    ids.forEach((id, place) => {
      const known = claims.find((claim) => claim.id === id);
      if (known) {
        known.at.push(at);
      } else {
        claims.push({ ...claimOf(table, id, [at]), place });
      }
    });
  }
}

/* Return claims at a number, the first of each text first, and whether one has its
   kind. Statements are counted together in most texts: where there is no lemma 3,
   Theorem 3 is found. */
function byNumber(table, texts, { kind, number }) {
  const claims = [];
  const isAt = ([own, at]) =>
    at === number && (!kind || own.replace(/^appendix-/, "") === kind);
  const isNear = ([own, at]) => at === number && table.statements.includes(own);
  const isThere = texts.some((text) => text.rows.some(isAt));
  if (isThere || table.statements.includes(kind)) {
    for (const text of texts) {
      collect(table, text, text.rows.filter(isThere ? isAt : isNear), claims);
    }
  }
  claims.sort((one, other) => one.place - other.place);
  return { claims, isThere };
}

/* Return {claims, missing}: claims {id, title, verdict, at}, and what is not there, of
   whose number others are. */
export function find(table, query) {
  const asked = query.toLowerCase().trim();
  if (NAME.test(asked)) {
    return { claims: byName(table, asked), missing: "" };
  }
  const words = asked.replace(/version\s*(?=\d)/g, "v").split(/[\s,:]+/);
  const { texts, rest } = named(words, table.texts);
  const statement = wanted(rest, table.kinds);
  if (!statement || (statement.alone && rest !== statement.number)) {
    return { claims: [], missing: "" };
  }
  const { claims, isThere } = byNumber(table, texts, statement);
  const isMissing = !isThere && claims.length > 0;
  const missing = isMissing ? `${statement.kind} ${statement.number}` : "";
  return { claims, missing };
}
