// The types of pi's RPC mode.
import { words } from "./shared/cases.mjs";
import { checkTypes } from "./shared/types.mjs";

await checkTypes("@earendil-works/pi-coding-agent", {
  imports: `import type { RpcExtensionUIRequest, RpcExtensionUIResponse } from "@earendil-works/pi-coding-agent";`,
  asked: (payload) => ["RpcExtensionUIRequest", payload],
  answered: (payload, out) => ["RpcExtensionUIResponse", out],
  read: (out) => (out.cancelled ? null : out.value ?? out.confirmed),
  wanted: (one) => one.chosen && [words(one.chosen[0])].flat()[0],
});
