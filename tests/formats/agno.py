"""Agno's requirement of a paused run, which reads what is asked and takes the answers."""

import copy

from cases import Skip, check, chosen
from agno.models.response import ToolExecution
from agno.run.requirement import RunRequirement
from agno.tools.function import UserFeedbackQuestion, UserInputField


def requirement(payload):
    if "questions_json" in payload or "user_input_fields" in payload:
        raise Skip("`questions_json` and `user_input_fields`, which this version does not have")
    if "tool_name" in payload and "requires_confirmation" in payload:
        return RunRequirement(ToolExecution.from_dict(copy.deepcopy(payload)))
    if "tool_execution" in payload:
        return RunRequirement.from_dict(copy.deepcopy(payload))
    if "user_feedback_schema" not in payload and "user_input_schema" not in payload:
        raise Skip("calls of its tool")
    tool = ToolExecution(tool_name="ask_user", requires_user_input=True)
    if "user_feedback_schema" in payload:
        tool.user_feedback_schema = [UserFeedbackQuestion.from_dict(q) for q in payload["user_feedback_schema"]]
    else:
        tool.user_input_schema = [UserInputField.from_dict(f) for f in payload["user_input_schema"]]
    return RunRequirement(tool)


def sends(payload):
    """Of what it writes as much as the case has. A type that it does not know it reads as a text."""
    made = requirement(payload).to_dict()
    made = part(made["tool_execution"] if "tool_name" in payload else made, payload)
    for field, sent in zip(made.get("user_input_schema") or [], payload.get("user_input_schema") or []):
        if sent["field_type"] not in ("str", "int", "float", "bool", "list", "dict"):
            field["field_type"] = sent["field_type"]
    return made


def part(made, sent):
    if isinstance(made, dict) and isinstance(sent, dict):
        return {name: part(made.get(name), value) for name, value in sent.items()}
    if isinstance(made, list) and isinstance(sent, list) and len(made) == len(sent):
        return [part(*pair) for pair in zip(made, sent)]
    return made


def reads(payload, answer):
    run = requirement({**payload, **answer} if confirms(payload) else payload)
    if confirms(payload):
        yes, note = run.tool_execution.confirmed, run.tool_execution.confirmation_note
        return (run.confirmation if yes is None else yes), run.confirmation_note or note
    # Filled in already, it would take nothing more.
    for question in run.user_feedback_schema or []:
        question.selected_options = None
    if run.needs_user_feedback:
        run.provide_user_feedback(answer)
        given = [question.selected_options for question in run.user_feedback_schema]
    else:
        run.provide_user_input(answer)
        given = [field.value for field in run.user_input_schema]
    return given if run.tool_execution.answered else None


def confirms(payload):
    return requirement(payload).needs_confirmation


def wanted(case):
    """Words without options are a list of one, too."""
    if confirms(case["in"]):
        answer = (case["chosen"] or [None])[0]
        return answer and (answer["labels"] == ["Approve"], answer["other"] or answer["note"]) or no_answer
    texts = "user_feedback_schema" in str(case["in"])
    answers = chosen(case)
    return answers and [[a] if texts and not isinstance(a, list) else a for a in answers]


def no_answer(read):
    return not read[0]


check("agno", "live", sends, reads, wanted)
