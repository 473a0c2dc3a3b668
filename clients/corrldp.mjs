/**
 * A client of corrldp collections for browsers, and for Node.js from version 20 on: one file, no dependencies.
 *
 *     import { Client } from "./corrldp.mjs";
 *     const client = new Client(await (await fetch("protocol.json")).text());
 *     const report = client.report([0, 3]);   // the codes of one user's values; JSON.stringify(report) may leave the device
 *
 * Documents, reports and hashing are those of docs/wire.md. All random numbers come from crypto.getRandomValues.
 */

const FORM = /^([^[\]\n]+)(?:\[([^[\]:\n]+)\])?$/;
const MOST_EPSILON = 16; // of one report: beyond, numbers of 53 binary digits do not draw what is promised
const MOST_VALUES = 2 ** 24;
const WORD = (1n << 64n) - 1n;

const words = new Uint32Array(1024);
let used = words.length;

function word() {
  if (used === words.length) {
    globalThis.crypto.getRandomValues(words);
    used = 0;
  }
  const drawn = words[used];
  words[used++] = 0;
  return drawn;
}

/** True with probability `chance`: a uniform multiple of 2^-53 lies below it. */
function happens(chance) {
  return ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53 < chance;
}

/** A uniform integer of 0, ..., count - 1, for count <= 2^32. */
function below(count) {
  const limit = 2 ** 32 - (2 ** 32 % count);
  let drawn = word();
  while (drawn >= limit) drawn = word();
  return drawn % count;
}

/** The hash of a value under a 64-bit key (BigInt), an integer of 0, ..., g - 1. */
export function hash(key, value, g) {
  let word = (key + BigInt(value) * 0x9e3779b97f4a7c15n) & WORD;
  word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return Number((word ^ (word >> 31n)) % BigInt(g));
}

/** The nearest integer, the even one of two that are equally near. */
function nearest(number) {
  const down = Math.floor(number);
  if (number - down !== 0.5) return Math.round(number);
  return down % 2 === 0 ? down : down + 1;
}

/**
 * Oracles by name. Each has the probabilities p and q that a report supports its user's value and any other value,
 * report(value), and, where there are fakes without a value, empty().
 */
export const ORACLES = {
  GRR(epsilon, k) {
    const p = 1 / (1 + (k - 1) * Math.exp(-epsilon));
    return {
      name: "GRR", k, p, q: Math.exp(-epsilon) * p,
      report(value) {
        if (happens(p)) return value;
        const other = below(k - 1);
        return other < value ? other : other + 1;
      },
    };
  },
  SUE: (epsilon, k) => unary("SUE", k, 1 / (1 + Math.exp(-epsilon / 2)), Math.exp(-epsilon / 2)),
  OUE: (epsilon, k) => unary("OUE", k, 0.5, Math.exp(-epsilon)),
  OLH(epsilon, k) {
    const g = nearest(Math.exp(epsilon)) + 1;
    const inner = ORACLES.GRR(epsilon, g);
    const key = () => (BigInt(word()) << 32n) | BigInt(word());
    const written = (drawn, hashed) => [drawn.toString(16).padStart(16, "0"), hashed];
    return {
      name: "OLH", k, g, p: inner.p, q: 1 / g,
      report(value) {
        const drawn = key();
        return written(drawn, inner.report(hash(drawn, value, g)));
      },
      empty: () => written(key(), below(g)),
    };
  },
  SS(epsilon, k) {
    const odds = Math.exp(-epsilon);
    const size = Math.max(1, nearest((k * odds) / (1 + odds)));
    const p = size / (size + (k - size) * odds);
    return {
      name: "SS", k, size, p, q: (size - p) / (k - 1),
      report(value) {
        const chosen = happens(p) ? [value] : [];
        const others = Array.from({ length: k - 1 }, (_, place) => (place < value ? place : place + 1));
        for (let place = 0; chosen.length < size; place++) {
          const drawn = place + below(others.length - place);
          chosen.push(others[drawn]);
          others[drawn] = others[place];
        }
        return chosen.sort((one, other) => one - other);
      },
    };
  },
};

function unary(name, k, p, odds) {
  const q = odds / (1 + odds);
  const bits = (chances) => Array.from({ length: k }, (_, place) => place).filter((place) => happens(chances(place)));
  return { name, k, p, q, report: (value) => bits((place) => (place === value ? p : q)), empty: () => bits(() => q) };
}

/** The variance of an estimate from one report, averaged over the values, where one report in d is real. */
function variance(oracle, support, d) {
  const chance = (real) => (real + (d - 1) * support) / d;
  const spread = (real) => chance(real) * (1 - chance(real));
  return ((spread(oracle.p) + (oracle.k - 1) * spread(oracle.q)) * d ** 2) / (oracle.k * (oracle.p - oracle.q) ** 2);
}

function smaller(first, second, support, d) {
  return variance(first, support(first), d) <= variance(second, support(second), d) ? first : second;
}

function refuse(message) {
  throw new RangeError(message);
}

function isWhole(number, least, most) {
  return Number.isInteger(number) && number >= least && number <= most;
}

/** Perturbs the records of users: SPL, SMP, RS+FD and Castell, with every oracle. */
export class Client {
  /** @param {string} text The document of a protocol or of a collection. */
  constructor(text) {
    let document = JSON.parse(text);
    if (document?.corrldp === "collection") {
      const { version, id, protocol } = document;
      if (!/^[0-9a-f]{32}$/.test(id)) refuse("the id of a collection must be 32 hexadecimal digits");
      this.collection = id;
      document = { corrldp: "protocol", version, ...protocol };
    }
    if (document?.corrldp !== "protocol" || document.version !== 1) refuse("no corrldp protocol of version 1");
    const { name, epsilon, sizes, options } = document;
    const [, base, oracle = "GRR"] = FORM.exec(name) ?? refuse(`name ${name} must be NAME or NAME[ORACLE]`);
    if (!Array.isArray(sizes) || !sizes.length || !sizes.every((k) => isWhole(k, 2, MOST_VALUES)))
      refuse("sizes must be integers >= 2");
    if (!(typeof epsilon === "number" && epsilon > 0 && Number.isFinite(epsilon))) refuse("epsilon must be > 0");
    if (!PROTOCOLS[base]) refuse(`this client knows ${Object.keys(PROTOCOLS).join(", ")}, not ${base}`);
    const { amplify = false, ...others } = options ?? {};
    if (Object.keys(others).length || typeof amplify !== "boolean" || (amplify && base !== "RS+FD"))
      refuse(`options ${JSON.stringify(options)} do not belong to ${base}`);
    if (base === "Castell" && oracle !== "GRR") refuse("Castell takes no oracle");
    this.sizes = sizes;
    [this.oracles, this.privatize] = PROTOCOLS[base](epsilon, sizes, oracle, amplify);
  }

  /**
   * The report on one user's record.
   * @param {number[]} record The code of each attribute's value.
   */
  report(record) {
    const { sizes } = this;
    const fits = Array.isArray(record) && record.length === sizes.length;
    if (!fits || !record.every((value, j) => isWhole(value, 0, sizes[j] - 1)))
      refuse(`record must have ${sizes.length} codes, those of attribute j below sizes[j]`);
    const report = this.privatize(record);
    if (this.collection === undefined) return report;
    const id = Array.from({ length: 4 }, () => word().toString(16).padStart(8, "0")).join("");
    return { collection: this.collection, id, report };
  }
}

function built(name, epsilon, k) {
  if (epsilon > MOST_EPSILON) refuse(`a report has epsilon ${epsilon}: take at most ${MOST_EPSILON}`);
  if (!Object.hasOwn(ORACLES, name)) refuse(`no oracle ${name}`);
  return ORACLES[name](epsilon, k);
}

/** The oracles of SPL and SMP; the adaptive choice has the smaller variance. */
function plain(epsilon, sizes, name) {
  return sizes.map((k) => {
    if (name !== "adaptive") return built(name, epsilon, k);
    return smaller(built("GRR", epsilon, k), built("OUE", epsilon, k), () => 0, 1);
  });
}

function spl(epsilon, sizes, name) {
  const oracles = plain(epsilon / sizes.length, sizes, name);
  return [oracles, (record) => record.map((value, j) => oracles[j].report(value))];
}

function smp(epsilon, sizes, name) {
  if (sizes.length < 2) refuse("SMP needs at least 2 attributes");
  const oracles = plain(epsilon, sizes, name);
  return [oracles, (record) => {
    const j = below(sizes.length);
    return [j, oracles[j].report(record[j])];
  }];
}

function rsFd(epsilon, sizes, name, amplify) {
  const d = sizes.length;
  const budget = amplify ? Math.log1p(d * Math.expm1(epsilon)) : epsilon;
  const faked = (one, k) => {
    const [base, fakes = ""] = one.split("-");
    const allowed = base === "GRR" ? [""] : base === "SS" ? ["r"] : ["z", "r"];
    if (!allowed.includes(fakes)) refuse(`RS+FD has no oracle ${one}`);
    const oracle = built(base, budget, k);
    const fake = { "": () => below(k), r: () => oracle.report(below(k)), z: () => oracle.empty() }[fakes];
    return { ...oracle, name: one, fake };
  };
  const oracles = sizes.map((k) => {
    if (name !== "adaptive") return faked(name, k);
    return smaller(faked("GRR", k), faked("OUE-z", k), (one) => (one.name === "GRR" ? 1 / k : one.q), d);
  });
  return [oracles, (record) => {
    const sampled = below(d);
    return record.map((value, j) => (j === sampled ? oracles[j].report(value) : oracles[j].fake()));
  }];
}

const PROTOCOLS = { SPL: spl, Castell: spl, SMP: smp, "RS+FD": rsFd };
