"""A real agent of LangChain with its human-in-the-loop middleware, whose model calls what the case asks about."""

import json

from cases import Skip, check
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command


class Model(GenericFakeChatModel):
    def bind_tools(self, *args, **kwargs):
        return self


class Run:
    def __init__(self, payload):
        if "action_requests" not in payload:
            raise Skip("interrupts for each call, and envelopes of LangGraph")
        self.ran = []
        actions, configs = payload["action_requests"], payload["review_configs"]
        calls = [{"name": a["name"], "args": a["args"], "id": f"call_{n}"} for n, a in enumerate(actions)]
        about = {a["name"]: a.get("description", "") for a in actions}
        on = {
            c["action_name"]: {"allowed_decisions": c["allowed_decisions"], "description": about[c["action_name"]]}
            for c in configs
        }
        messages = iter([AIMessage(content="", tool_calls=calls), AIMessage(content="Done.")])
        self.agent = create_agent(
            Model(messages=messages),
            [self.tool(name) for name in on],
            middleware=[HumanInTheLoopMiddleware(interrupt_on=on)],
            checkpointer=InMemorySaver(),
        )
        self.thread = {"configurable": {"thread_id": "1"}}

    def tool(self, name):
        def call(**args):
            self.ran.append(args)
            return "It ran."

        schema = {"title": name, "type": "object", "properties": {}, "additionalProperties": True}
        return StructuredTool.from_function(call, name=name, description=name, args_schema=schema)

    def asks(self):
        state = self.agent.invoke({"messages": [("user", "Go")]}, self.thread)
        return state["__interrupt__"][0].value

    def hears(self, answer):
        """For each call what the model is told; and with what arguments any ran, in no order."""
        messages = self.agent.invoke(Command(resume=answer), self.thread)["messages"]
        told = [(int(m.tool_call_id.removeprefix("call_")), m.content) for m in messages if m.type == "tool"]
        return [text for _, text in sorted(told)], self.ran


def sends(payload):
    made = Run(payload).asks()
    # What is said about a call is optional in the types, and never absent in what it sends.
    for one, sent in zip(made["action_requests"], payload["action_requests"]):
        if "description" not in sent:
            one.pop("description")
    # One for each name is enough, and those of the types may have a schema, which it does not send.
    sent = payload["review_configs"]
    if len(sent) < len(made["review_configs"]):
        made["review_configs"] = list({one["action_name"]: one for one in made["review_configs"]}.values())
    for one, other in zip(made["review_configs"], sent):
        if "args_schema" in other:
            one["args_schema"] = other["args_schema"]
    return made


def reads(payload, answer):
    run = Run(payload)
    run.asks()
    return run.hears(answer)


def wanted(case):
    def runs_as_chosen(heard):
        told, ran = heard
        if case["chosen"] is None:
            return not ran
        chosen = {answer["id"]: answer for answer in case["chosen"]}
        approved = []
        for n, (action, text) in enumerate(zip(case["in"]["action_requests"], told, strict=True)):
            answer = chosen[f"action-{n}"]
            if answer["values"] in (["approve"], ["edit"]):
                approved.append(chosen.get(f"arguments-{n}", {"value": action["args"]})["value"])
                words = "It ran."
            else:
                words = answer["other"] or answer["value"] or answer["note"] or "rejected"
            if words not in text:
                return False
        return in_no_order(ran) == in_no_order(approved)

    return runs_as_chosen


def in_no_order(calls):
    return sorted(json.dumps(arguments, sort_keys=True) for arguments in calls)


check("langchain", "live", sends, reads, wanted)
