// The types of GitHub Copilot's SDK: its events, the requests to its handlers, and what those return.
import { Skip, words } from "./shared/cases.mjs";
import { checkTypes } from "./shared/types.mjs";

const EVENTS = {
  "user_input.requested": "UserInputRequestedData",
  "elicitation.requested": "ElicitationRequestedData",
  "exit_plan_mode.requested": "ExitPlanModeRequestedData",
};

const kind = (asked) => (asked.question ? "UserInput" : asked.message ? "Elicitation" : "ExitPlanMode");
const inner = (payload) => payload.data ?? payload.params ?? payload;

await checkTypes("@github/copilot-sdk", {
  imports: `
import type * as sdk from "@github/copilot-sdk";
type Event<T> = Extract<sdk.SessionEvent, { type: T }> extends { data: infer D } ? D : never;
type Handled<H> = H extends (asked: infer A, ...rest: never) => infer R ? [A, Awaited<R>] : never;
type UserInput = Handled<NonNullable<sdk.SessionConfig["onUserInputRequest"]>>;
type Elicitation = [sdk.ElicitationContext, sdk.ElicitationResult];
type ExitPlanMode = Handled<NonNullable<sdk.SessionConfig["onExitPlanModeRequest"]>>;`,
  asked(payload) {
    if (payload.arguments) throw new Skip("calls of the tool, whose schema is in the packed program");
    const asked = inner(payload);
    const type = EVENTS[payload.type] && payload.type;
    if (type) return [`Event<"${type}">`, asked];
    if (asked.requestId) {
      const event = Object.keys(EVENTS).find((name) => EVENTS[name].startsWith(kind(asked)));
      return [`Event<"${event}">`, asked];
    }
    const { sessionId, ...request } = asked;
    return kind(asked) === "Elicitation" ? ["Elicitation[0]", asked] : [`${kind(asked)}[0]`, request];
  },
  answered: (payload, out) => [`${kind(inner(payload))}[1]`, out.jsonrpc || "result" in out ? out.result ?? null : out],
  read: (answer) => answer,
  wanted: (one) => {
    if (!one.chosen) return (read) => read.approved === false || ["decline", "cancel"].includes(read.action);
    const given = one.chosen.flatMap(words);
    if (kind(inner(one.in)) === "UserInput")
      return { answer: given[0], wasFreeform: one.chosen[0].labels.length === 0 };
    if (kind(inner(one.in)) === "Elicitation")
      return (read) =>
        read.action === "accept" &&
        JSON.stringify(Object.values(read.content ?? {}).flat()) === JSON.stringify(given.filter((one) => one !== true));
    const [{ labels: [label], other }] = one.chosen;
    const action = label?.match(/^Approve(?:: (.*))?$/);
    return (read) =>
      action
        ? read.approved && (!action[1] || read.selectedAction === action[1])
        : !read.approved && (read.feedback ?? null) === other;
  },
});
