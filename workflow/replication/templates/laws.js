/* What the pages compute: closed forms of corrldp.protocols.jrr, and what replication.cases interpolates. */
const facts = JSON.parse(document.getElementById("facts").textContent);
const plain = epsilon => ({ p: 1 / (1 + Math.exp(-epsilon)), rho: 0 });
const peers = n => n - 1 + n % 2;
const lowestCorrelation = p => -Math.min(p, 1 - p) / Math.max(p, 1 - p);

function feasibleRho(p, epsilon, n, colluders) {
  const { p: best } = plain(epsilon), share = colluders / peers(n), odds = Math.exp(epsilon), q = 1 - p;
  let [lowest, highest] = [lowestCorrelation(p), 1];
  if (share > 0) {
    const slack = (best - p) / (1 - best);
    lowest = Math.max(lowest, -slack / (p * (1 + odds)) / share, -(odds * p - q) / (q + odds * (1 - p)) / share);
    highest = Math.min(highest, slack / (1 - p + odds * q) / share);
  }
  return [lowest, highest];
}

function algorithm1(n, epsilon, colluders, step) {
  for (let p = plain(epsilon).p - step; p > 0.5; p -= step) {
    const [lowest, highest] = feasibleRho(p, epsilon, n, colluders), start = lowestCorrelation(p);
    const rho = start + step * Math.ceil((lowest - start) / step);
    if (rho <= highest) return { p, rho };
  }
  return null;
}

function optimum(n, ones, epsilon, colluders) {
  const rr = plain(epsilon), share = colluders / peers(n);
  const corner = share < 1 ? rr.p - share * (1 - rr.p) / (1 - share) : 0, imbalance = (2 * ones - n) ** 2 - n;
  if (corner <= 0.5 || imbalance === 0) return rr;
  const best = { p: corner, rho: imbalance > 0 ? lowestCorrelation(corner) : 1 };
  return varianceOfCount(rr, ones, n) <= varianceOfCount(best, ones, n) ? rr : best;
}

const varianceOfCount = ({ p, rho }, ones, n) =>
  p * (1 - p) / (2 * p - 1) ** 2 * (n + rho * ((2 * ones - n) ** 2 - n) / peers(n));

/* Error of the guess that all k values are equally frequent, where the first of d attributes has falling frequencies. */
function guessed(k, rho, d) {
  const first = (k - 1) / (3 * k ** 2 * (k + 1)), kept = rho - (1 - rho) / (k - 1);
  return first * (1 + (d - 1) * kept ** 2) / d;
}

/* The place of x among knots: the index of the one below it, and the share of the way to the next. */
function between(knots, x) {
  const i = Math.min(Math.max(knots.findLastIndex(knot => knot <= x), 0), knots.length - 2);
  return [i, (x - knots[i]) / (knots[i + 1] - knots[i])];
}

/* An error of a mechanism, its frequencies and its rule for p_y: replication.cases.with_users of interpolated errors. */
function errorOf(grid, [name, marginal, rule], { n, d, epsilon, rho }) {
  const tables = grid.logs[[name, marginal, rule].join("|")], users = Object.keys(tables).map(Number);
  const log = Math.log, places = [between(grid.d.map(log), log(d)), between(grid.epsilon.map(log), log(epsilon)), between(grid.rho, rho)];
  const value = (part, [[i, share], ...rest]) => rest.length
    ? value(part[i], rest) * (1 - share) + value(part[i + 1], rest) * share : part[i] * (1 - share) + part[i + 1] * share;
  const at = i => Math.exp(value(tables[users[i]], places));
  if (users.length === 1) return at(0) * users[0] / n;
  const fixed = rule.endsWith("copy"), scale = x => fixed ? -1 / x : log(x), [i, share] = between(users.map(scale), scale(n));
  return fixed ? at(i) * (1 - share) + at(i + 1) * share : at(i) ** (1 - share) * at(i + 1) ** share;
}
