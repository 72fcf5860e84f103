// The order of the results of the site's search: pages for users come before the project's own pages.
var Scorer = {
  score: (result) => {
    const [place, score] = [result[0], result[4]];
    if (/^(decisions|project|turbohtml)/.test(place)) return score / 4;
    return /^(howto|tutorials|explanation)/.test(place) ? score * 2 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
