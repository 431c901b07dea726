"""LangChain's human-in-the-loop middleware: no email is sent before the person has approved it.

Run it with ANTHROPIC_API_KEY set: python langchain_approval.py "Invite a@example.com to lunch"
"""

import json
import sys

from askdeck import ask
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command


def send_email(to: str, subject: str) -> str:
    """Sends an email."""
    return f"Sent `{subject}` to {to}."


def decide(request):
    _, told = ask(request)
    told = json.loads(told)
    if "decisions" in told:
        return told
    # Nobody decided: say so in the tool's place, since a rejection would be a decision.
    silence = {"type": "respond", "message": f"Not sent, nobody decided: {json.dumps(told)}"}
    return {"decisions": [silence for _ in request["action_requests"]]}


agent = create_agent(
    "anthropic:claude-sonnet-5",
    tools=[send_email],
    middleware=[HumanInTheLoopMiddleware(interrupt_on={"send_email": True})],
    checkpointer=InMemorySaver(),
)
config = {"configurable": {"thread_id": "1"}}
state = agent.invoke({"messages": [{"role": "user", "content": sys.argv[1]}]}, config)
while "__interrupt__" in state:
    answer = decide(state["__interrupt__"][0].value)
    state = agent.invoke(Command(resume=answer), config)
print(state["messages"][-1].text)
