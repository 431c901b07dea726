// Writes the lock file for package.json, with what is named there and nothing else: types need little of what
// their packages need, and some of that are programs of hundreds of megabytes. Run it in tests/formats.
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const { name, dependencies } = JSON.parse(fs.readFileSync("package.json", "utf8"));
const packages = { "": { name, dependencies } };
for (const [name, version] of Object.entries(dependencies)) {
  const integrity = execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity"], { encoding: "utf8" });
  packages[`node_modules/${name}`] = { version, integrity: integrity.trim() };
}
const lock = { name, lockfileVersion: 3, requires: true, packages };
fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");
