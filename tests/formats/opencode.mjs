// The types of OpenCode's SDK: its events and requests, and the bodies of its replies.
import { Skip, chosen } from "./shared/cases.mjs";
import { checkTypes } from "./shared/types.mjs";

const EVENTS = {
  "question.asked": ["EventQuestionAsked", "QuestionAsked"],
  "question.v2.asked": ["EventQuestionV2Asked", "QuestionV2Asked"],
  "permission.asked": ["EventPermissionAsked", "PermissionAsked"],
  "permission.v2.asked": ["EventPermissionV2Asked", "PermissionV2Asked"],
};

const isPermission = (payload) => /permission|"action"/.test(JSON.stringify(payload));

await checkTypes("@opencode-ai/sdk", {
  imports: `import type * as sdk from "@opencode-ai/sdk/v2";`,
  asked(payload) {
    if (JSON.stringify(payload).match(/"blocking"|"default"/)) throw new Skip("Kilo's own fields");
    const event = payload.payload ?? payload;
    if (event.type) {
      const [wrapped, bare] = EVENTS[event.type];
      // Ids of events came later than the events.
      return [`sdk.${event.data ? bare : wrapped}`, { id: "evt_0", ...event }];
    }
    if (!event.sessionID) return ["sdk.QuestionInfo[]", (event.input ?? event).questions];
    if (event.questions) return ["sdk.QuestionRequest", event];
    return [event.action ? "sdk.PermissionV2Request" : "sdk.PermissionRequest", event];
  },
  answered: (payload, out) =>
    isPermission(payload)
      ? [`NonNullable<sdk.PermissionReplyData["body"]>`, out]
      : [`NonNullable<sdk.QuestionReplyData["body"]>`, out],
  read: (body) => body.answers ?? { reply: body.reply, message: body.message },
  wanted: (one) => {
    if (!isPermission(one.in)) return chosen(one)?.map((words) => [words].flat()) ?? null;
    if (!one.chosen) return (read) => read.reply === "reject";
    const [{ labels: [label], other, note }] = one.chosen;
    const reply = label?.startsWith("Allow once") ? "once" : label?.startsWith("Always") ? "always" : "reject";
    return (read) => read.reply === reply && (read.message ?? null) === (other ?? note);
  },
});
