// Roo Code's own schema of what it suggests.
import { followUpDataSchema } from "@roo-code/types";
import { check } from "./shared/cases.mjs";

await check("@roo-code/types", "schema", {
  sends(payload) {
    const asked = payload.input ?? payload.arguments ?? payload.args ?? payload.tool_input ?? payload;
    const suggest = (asked.suggest ?? asked.follow_up).map(({ text, answer = text, mode }) => ({ answer, ...(mode && { mode }) }));
    followUpDataSchema.parse({ question: asked.question, suggest });
    return payload;
  },
  // What goes back is the text that the person has chosen or typed.
  reads: (payload, out) => (typeof out === "string" ? [[out]] : null),
  wanted: (one) => one.chosen && [[one.chosen[0].value ?? one.chosen[0].other ?? one.chosen[0].labels[0]]],
});
