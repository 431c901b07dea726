"""Anthropic's tool loop with a tool that asks the person.

Run it with ANTHROPIC_API_KEY set: python anthropic_loop.py "Set up a database for me"
"""

import sys

import anthropic
from askdeck import ask

QUESTION = {
    "type": "object",
    "required": ["question", "header", "options", "multiSelect"],
    "properties": {
        "question": {"type": "string"},
        "header": {"type": "string", "description": "A short name, up to 12 characters"},
        "multiSelect": {"type": "boolean"},
        "options": {
            "type": "array",
            "minItems": 2,
            "maxItems": 4,
            "items": {
                "type": "object",
                "required": ["label", "description"],
                "properties": {"label": {"type": "string"}, "description": {"type": "string"}},
            },
        },
    },
}
TOOL = {
    "name": "AskUserQuestion",
    "description": "Asks the user up to four questions. They can always answer in their own words.",
    "input_schema": {
        "type": "object",
        "required": ["questions"],
        "properties": {"questions": {"type": "array", "maxItems": 4, "items": QUESTION}},
    },
}

client = anthropic.Anthropic()
messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    reply = client.messages.create(
        model="claude-sonnet-5", max_tokens=1024, tools=[TOOL], messages=messages
    )
    messages.append({"role": "assistant", "content": reply.content})
    results = []
    for block in reply.content:
        if block.type == "tool_use":
            # As text it is a sentence for every ending, and an answer only if there was one.
            answered, told = ask(block.input, "--to", "text")
            result = {"type": "tool_result", "tool_use_id": block.id, "content": told}
            results.append({**result, "is_error": not answered})
        elif block.type == "text":
            print(block.text)
    if not results:
        break
    messages.append({"role": "user", "content": results})
