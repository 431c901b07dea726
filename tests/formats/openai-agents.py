"""A real run of the OpenAI Agents SDK whose model calls what the case asks about, and that waits for approval."""

import asyncio
import json

import agents
from agents import Agent, FunctionTool, Runner
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from cases import Skip, check
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

agents.set_tracing_disabled(True)


class Scripted(Model):
    def __init__(self, calls):
        text = ResponseOutputText(type="output_text", text="Done.", annotations=[])
        done = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
        self.turns = iter([calls, [done]])
        self.heard = None

    async def get_response(self, *args, input, **kwargs):
        self.heard = input
        return ModelResponse(output=next(self.turns), usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


class Run:
    def __init__(self, payload):
        items = [raw.get("raw_item", {}) for raw in listed(payload)]
        if any(item.get("type") != "function_call" or "arguments" not in item for item in items):
            raise Skip("what the SDK for JavaScript sends, and calls of hosted tools and shells")
        self.ran = []
        self.model = Scripted([ResponseFunctionToolCall.model_validate(item) for item in items])
        tools = [self.tool(name) for name in {item["name"] for item in items}]
        name = listed(payload)[0].get("agent", {}).get("name", "A")
        self.agent = Agent(name=name, model=self.model, tools=tools)

    def tool(self, name):
        async def call(context, arguments):
            self.ran.append(context.tool_call_id)
            return "It ran."

        schema = {"type": "object", "properties": {}, "additionalProperties": True}
        return FunctionTool(name, name, schema, call, strict_json_schema=False, needs_approval=True)

    async def asks(self):
        self.first = await Runner.run(self.agent, "Go")
        self.state = self.first.to_state()
        return self.state.to_json()["current_step"]["data"]["interruptions"]

    async def hears(self, decisions):
        waiting = {item.call_id: item for item in self.first.interruptions}
        for one in decisions:
            if one["approve"]:
                self.state.approve(waiting[one["call_id"]], always_approve=one.get("always", False))
            else:
                self.state.reject(waiting[one["call_id"]], rejection_message=one.get("message"))
        await Runner.run(self.agent, self.state)
        return self.ran, json.dumps(self.model.heard, default=str)


def listed(payload):
    payload = payload.get("interruptions", payload) if isinstance(payload, dict) else payload
    return payload if isinstance(payload, list) else [payload]


def sends(payload):
    made = asyncio.run(Run(payload).asks())
    # Where a tool came from is said since lately, and of no use here.
    for item in made:
        item.pop("tool_origin", None)
    if isinstance(payload, dict):
        return {**payload, "interruptions": made} if "interruptions" in payload else made[0]
    return made


def reads(payload, answer):
    run = Run(payload)
    asyncio.run(run.asks())
    return asyncio.run(run.hears(answer))


def wanted(case):
    def agrees(heard):
        ran, told = heard
        if case["chosen"] is None:
            return not ran
        ids = [item["raw_item"]["call_id"] for item in listed(case["in"])]
        approved = [id for id, one in zip(ids, case["chosen"]) if one["labels"][:1] not in ([], ["Reject"])]
        notes = [one["note"] for id, one in zip(ids, case["chosen"]) if one["note"] and id not in approved]
        return sorted(ran) == sorted(approved) and all(note in told for note in notes)

    return agrees


check("openai-agents", "live", sends, reads, wanted)
