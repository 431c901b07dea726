"""A deep agent on LangGraph whose `ask_user` interrupts the run until the person has answered.

Run it with ANTHROPIC_API_KEY set: python deepagents_ask.py "Set up a database for me"
"""

import json
import sys
from typing import Annotated, Literal, NotRequired

from askdeck import ask
from deepagents import create_deep_agent
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict


class Choice(TypedDict):
    value: str


class Question(TypedDict):
    question: str
    type: Literal["text", "multiple_choice", "multi_select"]
    choices: NotRequired[list[Choice]]
    required: NotRequired[bool]


@tool
def ask_user(questions: list[Question], tool_call_id: Annotated[str, InjectedToolCallId]) -> str:
    """Asks the user. They can always answer in their own words."""
    request = {"type": "ask_user", "tool_call_id": tool_call_id, "questions": questions}
    return json.dumps(interrupt(request))


agent = create_deep_agent(
    model="anthropic:claude-sonnet-5", tools=[ask_user], checkpointer=InMemorySaver()
)
config = {"configurable": {"thread_id": "1"}}
state = agent.invoke({"messages": [{"role": "user", "content": sys.argv[1]}]}, config)
while "__interrupt__" in state:
    # Several tools may ask in the same turn; each has its answer by the interrupt's id. The answer
    # itself says whether it is one.
    answers = {asked.id: json.loads(ask(asked.value)[1]) for asked in state["__interrupt__"]}
    state = agent.invoke(Command(resume=answers), config)
print(state["messages"][-1].text)
