"""OpenAI's function-calling loop with a function that asks the person.

Run it with OPENAI_API_KEY set: python openai_loop.py "Set up a database for me"
"""

import json
import sys

from askdeck import ask
from openai import OpenAI

QUESTION = {
    "type": "object",
    "required": ["question", "options"],
    "properties": {
        "question": {"type": "string"},
        "header": {"type": "string", "description": "A short name, up to 12 characters"},
        "multi": {"type": "boolean", "description": "Whether several options may be chosen"},
        "options": {"type": "array", "items": {"type": "string"}},
    },
}
TOOL = {
    "type": "function",
    "function": {
        "name": "ask_user",
        "description": "Asks the user. They can always answer in their own words.",
        "parameters": {
            "type": "object",
            "required": ["questions"],
            "properties": {"questions": {"type": "array", "items": QUESTION}},
        },
    },
}

client = OpenAI()
messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    reply = client.chat.completions.create(model="gpt-5.4-mini", tools=[TOOL], messages=messages)
    message = reply.choices[0].message
    messages.append(message)
    if not message.tool_calls:
        print(message.content)
        break
    for call in message.tool_calls:
        # As text it is a sentence for every ending, and an answer only if there was one.
        _, told = ask(json.loads(call.function.arguments), "--to", "text")
        messages.append({"role": "tool", "tool_call_id": call.id, "content": told})
