"""A run of Agno that pauses for the person and goes on with what they chose.

Run it with OPENAI_API_KEY set: python agno_run.py "Plan a weekend for me"
"""

import json
import sys

from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.tools.user_feedback import UserFeedbackTools
from askdeck import ask

agent = Agent(model=OpenAIChat(id="gpt-5.4-mini"), tools=[UserFeedbackTools()])
run = agent.run(sys.argv[1])
while run.is_paused:
    for requirement in run.active_requirements:
        answered, told = ask(requirement.to_dict())
        if answered:
            requirement.provide_user_feedback(json.loads(told))
        else:
            # Left open, it would reach the model as an empty selection. So the tool returns this.
            tool = requirement.tool_execution
            tool.requires_user_input, tool.external_execution_required = False, True
            requirement.set_external_execution_result(f"No answer: {told}")
    run = agent.continue_run(run_response=run)
print(run.content)
