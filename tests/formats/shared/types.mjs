// What TypeScript says of values as the types of a package.
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { cases, check } from "./cases.mjs";

const typescript = path.join(process.env.ASKDECK_TYPES, "node_modules/typescript/lib/typescript.js");
const { default: ts } = await import(pathToFileURL(typescript));
const folder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Checks each `[type, value]` of the list, where `imports` says what the types are. Returns for each
 * what is wrong with it, if anything. A type that takes anything, for one because the package has lost
 * it, would say nothing, and is an error.
 */
export function complaints(imports, values) {
  const types = [...new Set(values.map(([type]) => type))];
  const lines = [
    ...types.map((type, n) => `const control${n}: ${type} = Symbol(); export { control${n} };`),
    ...values.map(([type, value], n) => `const value${n}: ${type} = ${JSON.stringify(value)}; export { value${n} };`),
  ];
  const file = path.join(folder, `types-${process.pid}.ts`);
  const head = imports.trim().split("\n").length;
  const text = `${imports.trim()}\n${lines.join("\n")}\n`;
  const options = {
    module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022, strict: true, noEmit: true, skipLibCheck: true, types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  const found = new Map();
  for (const { start, messageText } of ts.getPreEmitDiagnostics(program, source)) {
    const line = source.getLineAndCharacterOfPosition(start).line;
    const words = ts.flattenDiagnosticMessageText(messageText, "\n");
    if (line < head) throw new Error(words);
    found.set(line - head, words);
  }
  for (const [n, type] of types.entries())
    if (!found.has(n)) throw new Error(`${type} takes anything`);
  return values.map((_, n) => found.get(n + types.length));
}

/**
 * Holds the cases to types alone. `asked(payload)` and `answered(payload, out)` return `[type, value]`: what the
 * package declares the part to be that it writes or reads. `read(value, payload)` is what that part says; nothing
 * if it is no answer.
 */
export async function checkTypes(name, { imports, asked, answered, read, wanted }) {
  const parts = new Map();
  for (const one of cases) {
    try {
      parts.set(one, { in: asked(one.in), out: answered(one.in, one.out) });
    } catch (why) {
      parts.set(one, { why });
    }
  }
  const listed = [...parts.values()].filter((part) => part.in).flatMap((part) => [part.in, part.out]);
  const found = complaints(imports, listed);
  for (const [n, part] of listed.entries()) part.complaint = found[n];
  const held = (part) => {
    if (part.complaint) throw new Error(part.complaint);
  };
  await check(name, "types", {
    wanted,
    sends(payload, one) {
      const { why, in: part } = parts.get(one);
      if (why) throw why;
      if (!one.advised) held(part);
      return payload;
    },
    reads(payload, out, one) {
      const { in: sent, out: part } = parts.get(one);
      // What repeats a part that the types do not have does not have the type either.
      if (!one.advised || !sent.complaint) held(part);
      return read(part[1], payload);
    },
  });
}
