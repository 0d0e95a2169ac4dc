"""Calls the council with the official Python packages. Usage: chat_clients.py BASE_URL FAILING_BASE_URL; prints JSON."""

import json
import sys

import openai
from langchain_openai import ChatOpenAI

base_url, failing_url = sys.argv[1:3]
MESSAGES = [{"role": "user", "content": "Tabs or spaces?"}]


def attempt(call):
    """The status and code of the error that a call raises."""
    try:
        return {"value": call()}
    except openai.APIStatusError as error:
        return {"status": error.status_code, "code": error.code, "message": str(error)}
    except openai.APIError as error:
        return {"code": error.code, "message": str(error)}


def stream_text(client):
    stream = client.chat.completions.create(model="vote", messages=MESSAGES, stream=True)
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def openai_package():
    client = openai.OpenAI(base_url=base_url, api_key="unused", max_retries=0)
    failing = openai.OpenAI(base_url=failing_url, api_key="unused", max_retries=0)
    create = client.chat.completions.create
    tools = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    return {
        "models": [model.id for model in client.models.list()],
        "model": client.models.retrieve("vote").id,
        "plain": create(model="vote", messages=MESSAGES).choices[0].message.content,
        "stream": stream_text(client),
        "tools": attempt(lambda: create(model="vote", messages=MESSAGES, tools=tools)),
        "failure": attempt(lambda: failing.chat.completions.create(model="vote", messages=MESSAGES).id),
        "stream_failure": attempt(lambda: stream_text(failing)),
    }


def langchain_package():
    chat = ChatOpenAI(model="vote", base_url=base_url, api_key="unused", max_retries=0)
    failing = ChatOpenAI(model="vote", base_url=failing_url, api_key="unused", max_retries=0)
    return {
        "plain": chat.invoke("Tabs or spaces?").content,
        "stream": "".join(chunk.content for chunk in chat.stream("Tabs or spaces?")),
        "failure": attempt(lambda: failing.invoke("Tabs or spaces?").content),
    }


print(json.dumps({"openai": openai_package(), "langchain": langchain_package()}))
