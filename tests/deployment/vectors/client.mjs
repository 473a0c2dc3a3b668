// Answers the questions of test_wire.py about corrldp.mjs: one JSON object in, one out.
import { readFileSync } from "node:fs";
import { Client, hash } from "../../../src/corrldp/deployment/corrldp.mjs";

const { hashes = [], documents = [], draws = [], records = [], memories = [] } = JSON.parse(readFileSync(0, "utf8"));

function attempt(make) {
  try {
    return make();
  } catch (error) {
    return { refused: error.message };
  }
}

console.log(
  JSON.stringify({
    hashes: hashes.map(({ key, value, g }) => hash(BigInt("0x" + key), value, g)),
    oracles: documents.map((text) => attempt(() => new Client(text).oracles)),
    draws: draws.map(({ text, record, n, rounds = 0 }) => {
      const client = new Client(text);
      if (!rounds) return Array.from({ length: n }, () => client.report(record));
      return Array.from({ length: n }, () => {
        const one = new Client(text);
        return Array.from({ length: rounds }, () => one.report(record));
      });
    }),
    records: records.map(({ text, record, options }) => attempt(() => new Client(text, options).report(record))),
    memories: memories.map(({ text, given, options }) =>
      attempt(() => {
        const client = new Client(text, options);
        return { reports: given.map((record) => client.report(record)), memory: client.memory() };
      }),
    ),
  }),
);
