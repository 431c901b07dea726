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


def interrupts(payload):
    """As LangGraph hands them out, whatever part of that the payload is."""
    listed = payload.get("__interrupt__", payload) if isinstance(payload, dict) else payload
    listed = listed if isinstance(listed, list) else [listed]
    listed = [one if "value" in one else {"value": one} for one in listed]
    if len(listed) > 1 and "action_requests" in listed[0]["value"]:
        raise Skip("several runs at once")
    return listed


def actions_of(payload):
    values = [one["value"] for one in interrupts(payload)]
    return values[0].get("action_requests", values)


class Run:
    def __init__(self, payload):
        self.ran, self.asked = [], interrupts(payload)
        actions, mode = actions_of(payload), {}
        configs = self.asked[0]["value"].get("review_configs")
        if configs is None:
            mode = {"interrupt_mode": "per_call"}
            pairs = zip(actions, self.asked)
            configs = [{"action_name": a["name"], "allowed_decisions": allowed(one)} for a, one in pairs]
        self.order = [a.get("tool_call_id", f"call_{n}") for n, a in enumerate(actions)]
        calls = [{"name": a["name"], "args": a["args"], "id": id} for a, id in zip(actions, self.order)]
        about = {a["name"]: a.get("description", "") for a in actions}
        on = {
            c["action_name"]: {"allowed_decisions": c["allowed_decisions"], "description": about[c["action_name"]]}
            for c in configs
        }
        messages = iter([AIMessage(content="", tool_calls=calls), AIMessage(content="Done.")])
        self.agent = create_agent(
            Model(messages=messages),
            [self.tool(name) for name in on],
            middleware=[HumanInTheLoopMiddleware(interrupt_on=on, **mode)],
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
        # Calls run at once, so theirs come in no order.
        self.made = sorted(state["__interrupt__"], key=lambda one: one.value.get("tool_call_id"))
        return [one.value for one in self.made]

    def hears(self, answer):
        """For each call what the model is told; and with what arguments any ran, in no order."""
        # Every run has ids of its own.
        given = [answer[one["id"]] if "id" in one else answer for one in self.asked]
        resume = {made.id: one for made, one in zip(self.made, given, strict=True)}
        messages = self.agent.invoke(Command(resume=resume), self.thread)["messages"]
        told = [(self.order.index(m.tool_call_id), m.content) for m in messages if m.type == "tool"]
        return [text for _, text in sorted(told)], self.ran


def allowed(interrupt):
    decisions = ["approve", "edit", "reject", "respond"]
    schema = json.dumps(interrupt.get("response_schema"))
    return [one for one in decisions if f'"const": "{one}"' in schema] or decisions


def sends(payload):
    run = Run(payload)
    sent = [one["value"] for one in run.asked]
    made = [as_far_as_sent(*pair) for pair in zip(run.asks(), sent, strict=True)]
    return payload if made == sent else made


def as_far_as_sent(made, payload):
    if "review_configs" not in made:
        return made
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
        decisions, approved = by_call(case["chosen"]), []
        for action, text, (answer, arguments) in zip(actions_of(case["in"]), told, decisions, strict=True):
            if answer["values"] in (["approve"], ["edit"]):
                approved.append(action["args"] if arguments is None else arguments)
                words = "It ran."
            else:
                words = answer["other"] or answer["value"] or answer["note"] or "rejected"
            if words not in text:
                return False
        return in_no_order(ran) == in_no_order(approved)

    return runs_as_chosen


def by_call(chosen):
    """What was decided about each call, and its arguments if they could be edited."""
    found = []
    for answer in chosen:
        if answer["id"].startswith("arguments-"):
            found[-1] = (found[-1][0], answer["value"])
        else:
            found.append((answer, None))
    return found


def in_no_order(calls):
    return sorted(json.dumps(arguments, sort_keys=True) for arguments in calls)


check("langchain", "live", sends, reads, wanted)
