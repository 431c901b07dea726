// The types of Claude's Agent SDK: the tool's input and output, permissions, and the messages that carry them.
// The answers themselves are read by the real Claude Code in tests/hook.rs.
import { Skip, words } from "./shared/cases.mjs";
import { checkTypes } from "./shared/types.mjs";

const asked = (payload) => payload.request ?? payload;
const bare = (payload) => (Array.isArray(payload) ? { questions: payload } : payload);
const input = (payload) => asked(payload).input ?? payload.tool_input ?? bare(payload);
const result = (out) => out.response?.response ?? out;

await checkTypes("@anthropic-ai/claude-agent-sdk", {
  imports: `
import type * as sdk from "@anthropic-ai/claude-agent-sdk";
import type { AskUserQuestionInput, AskUserQuestionOutput } from "@anthropic-ai/claude-agent-sdk/sdk-tools";`,
  asked(payload) {
    if (Object.values(payload.request ?? {}).includes(null)) throw new Skip("nulls, which Qwen Code sends");
    if (payload.type === "control_request") return ["sdk.SDKControlRequest", payload];
    return input(payload).questions
      ? ["AskUserQuestionInput", input(payload)]
      : ["Parameters<sdk.CanUseTool>[1]", input(payload)];
  },
  answered: (payload, out) =>
    out.type === "control_response"
      ? ["sdk.SDKControlResponse", out]
      : out.behavior
        ? ["sdk.PermissionResult", out]
        : ["AskUserQuestionOutput", out],
  read: (out) => result(out),
  wanted: (one) => (read) => {
    const given = read.updatedInput ?? read;
    if (!input(one.in).questions) {
      const label = one.chosen?.[0].labels[0] ?? "";
      return read.behavior === (/^(Allow|Always|Approve)/.test(label) ? "allow" : "deny");
    }
    if (!one.chosen) return read.behavior === "deny" || Object.keys(given.answers).length === 0;
    return one.chosen.every((answer) => {
      const parts = [words(answer)].flat();
      const said = given.answers[answer.question];
      // Among several, a label with a comma or a quote is written as in JSON.
      const says = (part) => said.includes(part) || said.includes(JSON.stringify(part));
      return answer.skipped ? said === undefined : parts.every(says);
    });
  },
});
