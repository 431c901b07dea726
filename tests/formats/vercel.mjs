// The types of the AI SDK: approvals in messages, and those of a chat's parts.
import { checkTypes } from "./shared/types.mjs";

const list = (value) => (Array.isArray(value) ? value : [value]);
const isPart = (payload) => list(payload).some((part) => part.state);

await checkTypes("ai", {
  imports: `
import type * as ai from "ai";
type Answer = Omit<Parameters<ai.ChatAddToolApproveResponseFunction>[0], "options">;
type Asked = ai.ToolApprovalRequest | ai.ToolApprovalRequestOutput<ai.ToolSet> | ai.ContentPart<ai.ToolSet>;
type Part = ai.UIMessagePart<ai.UIDataTypes, ai.UITools>;`,
  asked: (payload) => (isPart(payload) ? ["Part[]", list(payload)] : ["Asked[]", list(payload)]),
  answered: (payload, out) => (isPart(payload) ? ["Answer[]", list(out)] : ["ai.ToolApprovalResponse[]", list(out)]),
  read: (answers) => answers.map(({ approved, reason = null }) => [approved, reason]),
  wanted: (one) =>
    one.chosen
      ? one.chosen.map(({ labels, note }) => [labels[0] === "Approve", note])
      : (read) => read.every(([approved]) => approved === false),
});
