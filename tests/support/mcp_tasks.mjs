// Checks messages of MCP's Tasks extension with the schemas of its official package.
//
// The argument is that package's module; on standard input comes a list of [schema, message].

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const schemas = await import(pathToFileURL(process.argv[2]).href);
for (const [schema, message] of JSON.parse(readFileSync(0, 'utf8'))) {
  schemas[`${schema}V2Schema`].parse(message);
}
