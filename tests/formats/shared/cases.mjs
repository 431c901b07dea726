// As cases.py, for packages of Node.
import fs from "node:fs";
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";

export const require = createRequire(import.meta.url);

/** The package has no say in this case; the text says why, as docs/formats.md shows it. */
export class Skip extends Error {}

export const cases = JSON.parse(fs.readFileSync(0, "utf8"));

const tell = (line) => process.stdout.write(JSON.stringify(line) + "\n");

/** The folder of an installed package. */
export const folder = (name) => new URL(`../node_modules/${name}/`, import.meta.url);

export const versionAt = (folder) =>
  JSON.parse(fs.readFileSync(new URL("package.json", folder), "utf8")).version;

export async function check(name, how, { sends, reads, wanted = chosen, at = folder(name) }) {
  tell({ package: name, version: versionAt(at), how });
  for (const one of cases) {
    try {
      const problem = await problemOf(one, sends, reads, wanted);
      tell({ case: one.case, ...(problem && { problem }) });
    } catch (why) {
      if (!(why instanceof Skip)) throw why;
      tell({ case: one.case, skipped: why.message });
    }
  }
}

async function problemOf(one, sends, reads, wanted) {
  let made;
  try {
    made = await sends(one.in, one);
  } catch (error) {
    if (error instanceof Skip) throw error;
    return `it refuses the question: ${error.message}`;
  }
  if (!isDeepStrictEqual(made, one.in) && !one.advised)
    return `it would send\n${JSON.stringify(made)}\ninstead of\n${JSON.stringify(one.in)}`;
  let understood;
  try {
    understood = await reads(one.in, one.out, one);
  } catch (error) {
    return one.chosen && `it refuses the answer: ${error.message}`;
  }
  const expected = wanted(one);
  const agrees = typeof expected === "function" ? expected(understood) : isDeepStrictEqual(understood, expected);
  return !agrees && `it understands\n${JSON.stringify(understood)}\nof\n${JSON.stringify(one.out)}`;
}

/** The words of the person for each question: labels, then own words; or the value. */
export const chosen = (one) => one.chosen && one.chosen.map(words);

export const words = (answer) =>
  answer.value ?? [...answer.labels, ...(answer.other === null ? [] : [answer.other])];
