"""Tool loops of Python's openai and anthropic packages, unmodified: `loops.py BASE_URL TOKEN`.

Each loop offers one tool, runs the calls that it is told, and prints a line of JSON with the calls and the last words.
"""

import json
import sys

import anthropic
import openai

BASE_URL, TOKEN = sys.argv[1:3]
SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "place": {"type": "string", "enum": ["left", "right"]}},
    "required": ["id", "place"],
    "additionalProperties": False,
}
PROMPT = "Tidy up"
MAX_STEPS = 10

openai_client = openai.OpenAI(base_url=f"{BASE_URL}/v1", api_key=TOKEN, max_retries=0)
anthropic_client = anthropic.Anthropic(base_url=BASE_URL, api_key=TOKEN, max_retries=0)


def chat(stream):
    tools = [{"type": "function", "function": {"name": "move", "description": "Moves an item", "parameters": SCHEMA}}]
    messages = [{"role": "user", "content": PROMPT}]
    moved = []
    for _ in range(MAX_STEPS):
        if stream:
            with openai_client.chat.completions.stream(model="act", messages=messages, tools=tools) as events:
                for _event in events:
                    pass
                message = events.get_final_completion().choices[0].message
        else:
            message = openai_client.chat.completions.create(model="act", messages=messages, tools=tools).choices[0].message
        if not message.tool_calls:
            return moved, message.content
        messages.append(message.model_dump(exclude_none=True, exclude={"parsed"}))
        for call in messages[-1]["tool_calls"]:
            call["function"].pop("parsed_arguments", None)
            moved.append(json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": "moved"})
    raise AssertionError("the task does not end")


def responses(stream):
    tools = [{"type": "function", "name": "move", "description": "Moves an item", "parameters": SCHEMA, "strict": True}]
    items = [{"role": "user", "content": PROMPT}]
    moved = []
    for _ in range(MAX_STEPS):
        if stream:
            with openai_client.responses.stream(model="act", input=items, tools=tools, store=False) as events:
                for _event in events:
                    pass
                response = events.get_final_response()
        else:
            response = openai_client.responses.create(model="act", input=items, tools=tools, store=False)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return moved, response.output_text
        for call in calls:
            moved.append(json.loads(call.arguments))
            items.append(
                {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
            )
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": "moved"})
    raise AssertionError("the task does not end")


def messages(stream):
    tools = [{"name": "move", "description": "Moves an item", "input_schema": SCHEMA}]
    turns = [{"role": "user", "content": PROMPT}]
    moved = []
    for _ in range(MAX_STEPS):
        request = {"model": "act", "max_tokens": 500, "messages": turns, "tools": tools}
        if stream:
            with anthropic_client.messages.stream(**request) as events:
                for _event in events:
                    pass
                message = events.get_final_message()
        else:
            message = anthropic_client.messages.create(**request)
        if message.stop_reason != "tool_use":
            return moved, "".join(block.text for block in message.content if block.type == "text")
        turns.append({"role": "assistant", "content": message.content})
        results = []
        for block in message.content:
            if block.type == "tool_use":
                moved.append(block.input)
                results.append({"type": "tool_result", "tool_use_id": block.id, "content": "moved"})
        turns.append({"role": "user", "content": results})
    raise AssertionError("the task does not end")


def tool_runner(stream):
    moved = []

    @anthropic.beta_tool
    def move(id: int, place: str) -> str:
        """Moves an item

        Args:
            id: The item
            place: left or right
        """
        moved.append({"id": id, "place": place})
        return "moved"

    runner = anthropic_client.beta.messages.tool_runner(
        model="act",
        max_tokens=500,
        max_iterations=MAX_STEPS,
        tools=[move],
        messages=[{"role": "user", "content": PROMPT}],
        stream=stream,
    )
    if stream:
        for events in runner:
            message = events.get_final_message()
    else:
        message = runner.until_done()
    return moved, "".join(block.text for block in message.content if block.type == "text")


LOOPS = {
    f"openai {openai.__version__}, chat completions": chat,
    f"openai {openai.__version__}, Responses": responses,
    f"anthropic {anthropic.__version__}, Messages": messages,
    f"anthropic {anthropic.__version__}, tool runner": tool_runner,
}
for name, loop in LOOPS.items():
    for stream in [False, True]:
        moved, text = loop(stream)
        print(json.dumps({"loop": f"{name}{', streamed' if stream else ''}", "moved": moved, "text": text}), flush=True)
