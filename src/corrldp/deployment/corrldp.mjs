/**
 * A client of corrldp collections for browsers, and for Node.js from version 20 on: one file, no dependencies.
 *
 *     import { Client } from "./corrldp.mjs";
 *     const client = new Client(await (await fetch("protocol.json")).text());
 *     const report = client.report([0, 3]);   // the codes of one user's values; JSON.stringify(report) may leave the device
 *
 * Where the document names attributes and values, a record may be { "smokes": "no", "age group": "70+" }. Options of a
 * client: { ceiling: 2 } refuses a document by which a record spends more; { memory: localStorage.getItem("memory") ??
 * undefined } goes on with the permanent responses of L-SPL and L-SMP, and client.memory() is to be stored after each report.
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
        return happens(p) ? value : another(value, k);
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

/** The places of bits that are drawn as 1, each with a chance of its own. */
function bits(k, chances) {
  return Array.from({ length: k }, (_, place) => place).filter((place) => happens(chances(place)));
}

/** A value other than the given one, uniformly. */
function another(value, k) {
  const other = below(k - 1);
  return other < value ? other : other + 1;
}

function unary(name, k, p, odds) {
  const q = odds / (1 + odds);
  return { name, k, p, q, report: (value) => bits(k, (place) => (place === value ? p : q)), empty: () => bits(k, () => q) };
}

/** An oracle of two rounds: remember(value) draws what is kept, repeat(kept) a report from it. */
function longitudinal(name, epsilon, permanent, k) {
  const base = name === "OSUE" ? "OUE" : name;
  if (!["GRR", "SUE", "OSUE"].includes(name)) refuse(`no longitudinal oracle ${name}`);
  const [first, lasting] = [built(base, epsilon, k), built(base, permanent, k)];
  const flip = (first.q - lasting.q) / (1 - (name === "GRR" ? k : 2) * lasting.q);
  const stay = 1 - (k - 1) * flip;
  const repeat = name === "GRR"
    ? (kept) => (happens(stay) ? kept : another(kept, k))
    : (kept) => bits(k, (place) => (kept.includes(place) ? 1 - flip : flip));
  const fits = name === "GRR"
    ? (kept) => isWhole(kept, 0, k - 1)
    : (kept) => Array.isArray(kept) && kept.every((place) => isWhole(place, 0, k - 1));
  return { ...first, name, permanent, flip, remember: lasting.report, repeat, fits };
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

/** Perturbs the records of users: SPL, SMP, RS+FD and Castell, with every oracle, and L-SPL and L-SMP. */
export class Client {
  /**
   * @param {string} text The document of a protocol or of a collection.
   * @param {object} [options]
   * @param {number} [options.ceiling] The most that the user allows: by one report, or by all of L-SPL and L-SMP.
   * @param {string} [options.memory] What memory() of an earlier client returned.
   */
  constructor(text, { ceiling, memory } = {}) {
    let document = JSON.parse(text);
    if (document?.corrldp === "collection") {
      const { version, id, protocol, attributes } = document;
      if (!/^[0-9a-f]{32}$/.test(id)) refuse("the id of a collection must be 32 hexadecimal digits");
      this.collection = id;
      document = { corrldp: "protocol", version, ...protocol, attributes };
    }
    if (document?.corrldp !== "protocol" || document.version !== 1) refuse("no corrldp protocol of version 1");
    const { name, epsilon, sizes, options } = document;
    const [, base, oracle = "GRR"] = FORM.exec(name) ?? refuse(`name ${name} must be NAME or NAME[ORACLE]`);
    if (!Array.isArray(sizes) || !sizes.length || !sizes.every((k) => isWhole(k, 2, MOST_VALUES)))
      refuse("sizes must be integers >= 2");
    if (!(typeof epsilon === "number" && epsilon > 0 && Number.isFinite(epsilon))) refuse("epsilon must be > 0");
    if (!Object.hasOwn(PROTOCOLS, base)) refuse(`this client knows ${Object.keys(PROTOCOLS).join(", ")}, not ${base}`);
    const { amplify = false, permanent, ...others } = options ?? {};
    const repeated = base === "L-SPL" || base === "L-SMP";
    if (Object.keys(others).length || typeof amplify !== "boolean" || (amplify && base !== "RS+FD") ||
        (permanent !== undefined) !== repeated)
      refuse(`options ${JSON.stringify(options)} do not belong to ${base}`);
    if (repeated && !(permanent > epsilon && Number.isFinite(permanent))) refuse("permanent must be above epsilon");
    if (base === "Castell" && oracle !== "GRR") refuse("Castell takes no oracle");
    const spent = amplify ? Math.log1p(sizes.length * Math.expm1(epsilon)) : repeated ? permanent : epsilon;
    if (ceiling !== undefined && !(spent <= ceiling)) refuse(`epsilon ${spent} is above the user's ceiling ${ceiling}`);
    this.sizes = sizes;
    this.attributes = named(document.attributes, sizes);
    if (!repeated) {
      if (memory !== undefined) refuse(`${base} keeps no responses: leave the memory out`);
      [this.oracles, this.privatize] = PROTOCOLS[base](epsilon, sizes, oracle, amplify);
      return;
    }
    const parts = base === "L-SPL" ? sizes.length : 1;
    if (base === "L-SMP" && sizes.length < 2) refuse("L-SMP needs at least 2 attributes");
    this.oracles = sizes.map((k) => longitudinal(oracle, epsilon / parts, permanent / parts, k));
    this.kept = recalled(memory, { name, epsilon, sizes, options }, this.oracles);
    this.privatize = (record) => this.repeat(record, base === "L-SPL", ceiling ?? permanent);
  }

  /** The permanent responses so far, as a text to be stored on the device: it has the user's values in the clear. */
  memory() {
    const { protocol, attributes, responses } = this.kept ?? refuse("the protocol keeps no responses");
    return JSON.stringify({ corrldp: "memory", version: 1, protocol, attributes, responses });
  }

  /** A report from permanent responses, which are drawn where there are none. */
  repeat(record, whole, ceiling) {
    const { kept, oracles } = this;
    const places = record.map((_, j) => j);
    const attributes = kept.attributes.length ? kept.attributes : whole ? places : [below(record.length)];
    const known = (j) => kept.responses.find(([attribute, value]) => attribute === j && value === record[j]);
    const fresh = attributes.filter((j) => known(j) === undefined);
    const spent = [...kept.responses.map(([j]) => j), ...fresh].reduce((sum, j) => sum + oracles[j].permanent, 0);
    if (fresh.length && spent > ceiling * (1 + 1e-9))
      refuse(`a permanent response to another value spends ${spent} in all, above ${ceiling}: nothing is reported`);
    kept.attributes = attributes;
    for (const j of fresh) kept.responses.push([j, record[j], oracles[j].remember(record[j])]);
    const reports = attributes.map((j) => oracles[j].repeat(known(j)[2]));
    return whole ? reports : [attributes[0], reports[0]];
  }

  /**
   * The report on one user's record.
   * @param {number[] | object} given The code of each attribute's value, or under the attribute's name that of the value,
   *   or a number where values are bins.
   */
  report(given) {
    const { sizes, attributes } = this;
    const byName = attributes && given !== null && typeof given === "object" && !Array.isArray(given);
    const code = ({ name, values, bins }) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (!bins || !Number.isFinite(value)) return values.indexOf(value);
      return Math.min(Math.max(bins.filter((bound) => bound <= value).length, 1), bins.length - 1) - 1;
    };
    const record = byName ? attributes.map(code) : given;
    const fits = Array.isArray(record) && record.length === sizes.length;
    if (!fits || !record.every((value, j) => isWhole(value, 0, sizes[j] - 1)))
      refuse(`record must have ${sizes.length} codes, those of attribute j below sizes[j], or their names`);
    const report = this.privatize(record);
    if (this.collection === undefined) return report;
    const id = Array.from({ length: 4 }, () => word().toString(16).padStart(8, "0")).join("");
    return { collection: this.collection, id, report };
  }
}

/** The names of attributes and values, or undefined. */
function named(attributes, sizes) {
  if (attributes === undefined) return undefined;
  const texts = (list) => Array.isArray(list) && list.every((one) => typeof one === "string" && one) &&
    new Set(list).size === list.length;
  const fits = Array.isArray(attributes) && attributes.length === sizes.length &&
    texts(attributes.map((one) => one?.name)) &&
    attributes.every(({ values, bins }, j) => texts(values) && values.length === sizes[j] &&
      (bins === undefined || bounds(bins, sizes[j])));
  return fits ? attributes : refuse("attributes must name each attribute and its values once");
}

function bounds(bins, k) {
  return Array.isArray(bins) && bins.length >= 2 && bins.length <= k + 1 && bins.every(Number.isFinite) &&
    bins.slice(1).every((bound, place) => bins[place] < bound);
}

/** The permanent responses of a memory, or none. */
function recalled(memory, protocol, oracles) {
  if (memory === undefined) return { protocol, attributes: [], responses: [] };
  const found = JSON.parse(memory);
  const { attributes, responses } = found ?? {};
  const same = ["name", "epsilon", "sizes", "options"].every(
    (key) => JSON.stringify(found?.protocol?.[key]) === JSON.stringify(protocol[key]));
  if (found?.corrldp !== "memory" || found.version !== 1 || !same) refuse("the memory is of another protocol");
  const place = (j) => isWhole(j, 0, oracles.length - 1);
  const entry = ([j, value, kept]) => attributes.includes(j) && isWhole(value, 0, oracles[j].k - 1) && oracles[j].fits(kept);
  const count = protocol.name.startsWith("L-SPL") ? oracles.length : 1;
  const right = Array.isArray(attributes) && attributes.every(place) && [0, count].includes(attributes.length);
  if (!right || new Set(attributes).size !== attributes.length || !Array.isArray(responses) || !responses.every(entry))
    refuse("the memory is damaged");
  return { protocol, attributes, responses };
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

const PROTOCOLS = { SPL: spl, Castell: spl, SMP: smp, "RS+FD": rsFd, "L-SPL": null, "L-SMP": null };
