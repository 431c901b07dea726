// Writes the lock file for package.json, without anything that is not named there: types need little of what
// their packages need, and some of those bring programs of hundreds of megabytes. Run it in tests/formats.
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const LOCK = "package-lock.json";
fs.rmSync(LOCK, { force: true });
const options = ["--package-lock-only", "--omit-lockfile-registry-resolved", "--legacy-peer-deps", "--no-audit", "--no-fund"];
execFileSync("npm", ["install", "--silent", ...options], { stdio: "inherit" });
const lock = JSON.parse(fs.readFileSync(LOCK, "utf8"));
const { "": root, ...all } = lock.packages;
lock.packages = { "": root };
for (const name of Object.keys(root.dependencies)) {
  const { version, integrity } = all[`node_modules/${name}`];
  lock.packages[`node_modules/${name}`] = { version, integrity };
}
fs.writeFileSync(LOCK, JSON.stringify(lock, null, 2) + "\n");
