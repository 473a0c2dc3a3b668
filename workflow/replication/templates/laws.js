/* Closed forms of the library, for a page: each function names the one that it repeats. */
const grr = (epsilon, k) => { // corrldp.mechanisms.grr.GRR
  const q = 1 / (Math.exp(epsilon) + k - 1);
  return { k, p: Math.exp(epsilon) * q, q, gap: Math.expm1(epsilon) * q };
};
/* Variance of a frequency estimated from one report. */
const varianceOfOne = (f, { p, q, gap }) => (f * p * (1 - p) + (1 - f) * q * (1 - q)) / gap ** 2;

/* corrldp.protocols.jrr */
const peers = n => n - 1 + n % 2;
const lowestCorrelation = p => -Math.min(p, 1 - p) / Math.max(p, 1 - p);

function feasibleRho(p, epsilon, n, colluders) {
  const { p: best, q: worst } = grr(epsilon, 2), share = colluders / peers(n), odds = Math.exp(epsilon), q = 1 - p;
  let [lowest, highest] = [lowestCorrelation(p), 1];
  if (share > 0) {
    const slack = (best - p) / worst;
    lowest = Math.max(lowest, -slack / (p * (1 + odds)) / share, -(odds * p - q) / (q + odds * (1 - p)) / share);
    highest = Math.min(highest, slack / (1 - p + odds * q) / share);
  }
  return [lowest, highest];
}

function algorithm1(n, epsilon, colluders, step) {
  for (let p = grr(epsilon, 2).p - step; p > 0.5; p -= step) {
    const [lowest, highest] = feasibleRho(p, epsilon, n, colluders), start = lowestCorrelation(p);
    const rho = start + step * Math.ceil((lowest - start) / step);
    if (rho <= highest) return { p, rho };
  }
  return null;
}

function optimum(n, ones, epsilon, colluders) {
  const { p, q } = grr(epsilon, 2), share = colluders / peers(n), plain = { p, rho: 0 };
  const corner = share < 1 ? p - share * q / (1 - share) : 0, imbalance = (2 * ones - n) ** 2 - n;
  if (corner <= 0.5 || imbalance === 0) return plain;
  const best = { p: corner, rho: imbalance > 0 ? lowestCorrelation(corner) : 1 };
  return varianceOfCount(plain, ones, n) <= varianceOfCount(best, ones, n) ? plain : best;
}

const varianceOfCount = ({ p, rho }, ones, n) =>
  p * (1 - p) / (2 * p - 1) ** 2 * (n + rho * ((2 * ones - n) ** 2 - n) / peers(n));

/* Mean squared errors for n users whose attributes copy the first with probability rho, or else take another value.
   Corr-RR copies with probability copy, RS+RFD draws fake values from the true frequencies. */
function errors({ n, d, rho, epsilon, marginal, share, copy }) {
  const k = marginal.length, n1 = Math.round(share * n), n2 = n - n1, full = grr(epsilon, k), split = grr(epsilon / d, k);
  const move = (u, v) => u === v ? rho : (1 - rho) / (k - 1);
  const child = marginal.map((_, v) => marginal.reduce((sum, f, u) => sum + f * move(u, v), 0));
  const inverse = meanInverse(n, d), weight = (k * copy - 1) / (k - 1) / d;
  const sums = { SPL: 0, SMP: 0, "RS+RFD": 0, "Corr-RR": 0 };
  for (let j = 0; j < d; j++) for (let v = 0; v < k; v++) {
    const of = s => s ? child[v] : marginal[v], f = of(j);
    const both = (s, t) => s === t ? of(s) : s && t
      ? marginal.reduce((sum, g, u) => sum + g * move(u, v) ** 2, 0) : marginal[v] * rho;
    const first = varianceOfOne(f, split);
    sums.SPL += first / n;
    sums.SMP += inverse.mean * varianceOfOne(f, full) + inverse.silent * (1 / k - f) ** 2
      + f * (1 - f) * Math.max(n * inverse.mean - (1 - inverse.silent), 0) / (n - 1);
    const own = (full.p + (d - 1) * f) / d, other = (full.q + (d - 1) * f) / d;
    const second = (f * own * (1 - own) + (1 - f) * other * (1 - other)) * d ** 2 / (n2 * full.gap ** 2);
    sums["RS+RFD"] += n1 / n ** 2 * first + (n2 / n) ** 2 * second;
    const w = s => s === j ? 1 / d : weight, u = s => w(s) - (s === j);
    let mean = (d - 1) * (1 / d - weight) / k, spread = 0, moved = 0;
    for (let s = 0; s < d; s++) {
      mean += w(s) * of(s);
      for (let t = 0; t < d; t++) {
        const covariance = both(s, t) - of(s) * of(t);
        spread += w(s) * w(t) * covariance;
        moved += u(s) * u(t) * covariance;
      }
    }
    const reported = full.q + full.gap * mean;
    sums["Corr-RR"] += (n2 / n * (mean - f)) ** 2 + n1 / n ** 2 * first
      + n2 / n ** 2 * (reported * (1 - reported) / full.gap ** 2 - spread) + n1 * n2 / (n - 1) * moved / n ** 2;
  }
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / (d * k)]));
}

/* corrldp.protocols.smp: E[1/m; m > 0] and Pr[m = 0] for the m of n users who report an attribute. */
function meanInverse(n, d) {
  const half = 12 * Math.sqrt(n * (d - 1)) / d + 50, least = Math.max(0, Math.floor(n / d - half));
  const most = Math.min(n, Math.ceil(n / d + half)), logs = [0];
  for (let m = least; m < most; m++) logs.push(logs.at(-1) + Math.log((n - m) / ((m + 1) * (d - 1))));
  const largest = Math.max(...logs), law = logs.map(log => Math.exp(log - largest));
  const total = law.reduce((sum, each) => sum + each, 0);
  const mean = law.reduce((sum, each, i) => least + i > 0 ? sum + each / (least + i) : sum, 0) / total;
  return { mean, silent: (1 - 1 / d) ** n };
}

/* Interpolate a table of logarithms linearly in log epsilon and in rho; replication.cases.between does the same. */
function between(grid, table, epsilon, rho) {
  const at = (knots, x) => {
    const i = Math.min(Math.max(knots.findLastIndex(knot => knot <= x), 0), knots.length - 2);
    return [i, (x - knots[i]) / (knots[i + 1] - knots[i])];
  };
  const [i, s] = at(grid.epsilon.map(Math.log), Math.log(epsilon)), [j, t] = at(grid.rho, rho);
  const row = a => table[a][j] * (1 - t) + table[a][j + 1] * t;
  return Math.exp(row(i) * (1 - s) + row(i + 1) * s);
}
