// Gemini CLI's own tool, which checks the questions and tells the model the answers. Its file runs by itself: what it
// imports is the rest of the program, of which it takes a few names.
import fs from "node:fs";
import { Skip, check, folder, words } from "./shared/cases.mjs";

const source = fs
  .readFileSync(new URL("dist/src/tools/ask-user.js", folder("@google/gemini-cli-core")), "utf8")
  .replace(/^import .*$/gm, "")
  .replace(/^export /gm, "");
const imported = `
class BaseDeclarativeTool {}
class BaseToolInvocation { constructor(params) { this.params = params; } }
const Kind = {}, ToolErrorType = {}, ASK_USER_DEFINITION = { base: {} };
const ASK_USER_TOOL_NAME = "ask_user", ASK_USER_DISPLAY_NAME = "Ask User";
const ToolConfirmationOutcome = { Cancel: "cancel", ProceedOnce: "proceed_once" };
const QuestionType = { CHOICE: "choice", TEXT: "text", YESNO: "yesno" };`;
const AskUserTool = new Function(`${imported}\n${source}\nreturn AskUserTool;`)();

const call = (payload) => payload.args ?? payload.arguments ?? payload.input ?? payload.tool_input ?? payload;
const questions = (payload) => (payload.details ?? payload.toolCall?.args ?? call(payload)).questions;

await check("@google/gemini-cli-core", "live", {
  sends(payload) {
    if (!questions(payload).every((question) => question.type)) throw new Skip("Qwen Code's questions");
    const problem = new AskUserTool().validateToolParamValues({ questions: questions(payload) });
    if (problem) throw new Error(problem);
    return payload;
  },
  async reads(payload, out) {
    const invocation = new AskUserTool().createInvocation({ questions: questions(payload) });
    const details = await invocation.shouldConfirmExecute();
    await details.onConfirm(out.outcome ?? (out.cancelled ? "cancel" : "proceed_once"), out.payload ?? out);
    const { llmContent } = await invocation.execute({});
    return llmContent.startsWith("{") ? JSON.parse(llmContent).answers : null;
  },
  wanted(one) {
    if (!one.chosen) return null;
    const yesNo = { true: "Yes", false: "No" };
    const said = (answer) => yesNo[answer.value] ?? [words(answer)].flat().join(", ");
    const numbered = one.chosen.map((answer, n) => [n, answer]).filter(([, answer]) => !answer.skipped);
    return Object.fromEntries(numbered.map(([n, answer]) => [n, said(answer)]));
  },
});
