"""The JSON Schema that the real Codex writes of its app server's requests and of the responses to them."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from cases import Skip, check, words
from jsonschema import Draft7Validator

CODEX = Path(os.environ["ASKDECK_FOREIGN"]) / "bin/codex"
TYPES = {
    "item/tool/requestUserInput": "ToolRequestUserInput",
    "item/commandExecution/requestApproval": "CommandExecutionRequestApproval",
    "item/fileChange/requestApproval": "FileChangeRequestApproval",
    "item/permissions/requestApproval": "PermissionsRequestApproval",
}


def run(*args):
    home = {**os.environ, "CODEX_HOME": SCHEMAS}
    return subprocess.run([CODEX, *args], check=True, capture_output=True, text=True, env=home).stdout


def hold(name, value):
    schema = json.loads((Path(SCHEMAS) / f"{name}.json").read_text())
    Draft7Validator(schema).validate(value)


def kind(payload):
    if "somethingNew" in str(payload):
        raise Skip("decisions that no version has")
    if payload.get("method") in TYPES:
        return TYPES[payload["method"]]
    if "method" in payload or "questions" not in params(payload):
        raise Skip("requests without their method")
    return "ToolRequestUserInput"


def params(payload):
    for name in ("params", "arguments", "input", "args", "tool_input"):
        if name in payload:
            return payload[name] if isinstance(payload[name], dict) else json.loads(payload[name])
    return payload


def sends(payload):
    # The tool's own input has neither the ids of the request nor what the app server adds.
    ids = {"threadId": "t", "turnId": "u", "itemId": "i", "isBlocking": False}
    hold(f"{kind(payload)}Params", {**({} if "method" in payload else ids), **params(payload)})
    return payload


def reads(payload, answer):
    assert "error" not in answer, answer["error"]
    result = answer.get("result", answer)
    hold(f"{kind(payload)}Response", result)
    return result


def wanted(case):
    def agrees(read):
        if "answers" not in read:
            label = (case["chosen"] or [{"labels": []}])[0]["labels"]
            yes = bool(label) and label[0].startswith(("Allow", "Always"))
            no = ("decline", "cancel"), "'action': 'deny'"
            allowed = read.get("decision") not in no[0] and no[1] not in str(read) and read.get("permissions") != {}
            return allowed == yes
        answers = {key: one["answers"] for key, one in read["answers"].items()}
        if case["chosen"] is None:
            return all(one.startswith("user_note: ") for given in answers.values() for one in given)
        return all(
            given(answer) == [one.removeprefix("user_note: ") for one in answers.get(answer["id"], [])]
            for answer in case["chosen"]
        )

    return agrees


def given(answer):
    """Own words come after Codex's own label for them, and a note after what was chosen."""
    if answer["skipped"]:
        return []
    told = words(answer)
    told = told if isinstance(told, list) else [told]
    if answer["other"] is not None:
        told = ["None of the above", *told]
    return told + ([answer["note"]] if answer["note"] is not None else [])


with tempfile.TemporaryDirectory() as SCHEMAS:
    run("app-server", "generate-json-schema", "--experimental", "--out", SCHEMAS)
    check("@openai/codex", "schema", sends, reads, wanted, installed=run("--version").split()[-1])
