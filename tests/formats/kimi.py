"""The types of Kimi CLI's wire and of its tool, cut out of their files: the rest needs a newer Python."""

import ast
import re

from cases import Skip, check, words
from importlib.metadata import distribution
from pydantic import BaseModel, Field


def classes(path, *names):
    text = distribution("kimi-cli").locate_file(path).read_text()
    found = {"BaseModel": BaseModel, "Field": Field}
    for one in re.finditer(r"^class (\w+)\(.*?(?=^\S)", text, re.M | re.S):
        if one[1] in names:
            node = ast.parse(one[0]).body[0]
            node.body = [part for part in node.body if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
            exec(compile(ast.Module([node], []), path, "exec"), found)
    return [found[name] for name in names]


*_, Request, Response = classes(
    "kimi_cli/wire/types.py", "QuestionOption", "QuestionItem", "QuestionRequest", "QuestionResponse"
)
*_, Params = classes("kimi_cli/tools/ask_user/__init__.py", "QuestionOptionParam", "QuestionParam", "Params")


def wire(payload):
    payload = payload.get("params", payload)
    return payload.get("payload") if payload.get("type") == "QuestionRequest" else None


def sends(payload):
    text = str(payload)
    if "option_id" in text or "question_id" in text or "multiSelect" in text or "'session_id'" in text:
        raise Skip("what the server and the client of Kimi Code say")
    if wire(payload):
        Request.model_validate(wire(payload))
    else:
        Params.model_validate(payload.get("arguments") or payload.get("input") or payload.get("tool_input") or payload)
    return payload


def reads(payload, answer):
    result = answer.get("result", answer)
    if wire(payload):
        result = Response.model_validate(result).model_dump()
    return result["answers"] or None


def wanted(case):
    if case["chosen"] is None:
        return None
    given = {one["question"]: words(one) for one in case["chosen"] if not one["skipped"]}
    return {question: ", ".join(said) if isinstance(said, list) else said for question, said in given.items()}


check("kimi-cli", "types", sends, reads, wanted)
