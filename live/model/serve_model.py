"""llama.cpp's own server in this process: serve_model.py SETTINGS, a JSON object. Ends with its standard input."""
import json
import sys

import xllamacpp

settings = json.loads(sys.argv[1])
params = xllamacpp.CommonParams()
params.model.path = settings["file"]
params.model_alias = [settings["name"]]
params.port = settings["port"]
params.n_parallel = settings["slots"]
params.n_ctx = settings["context"] * settings["slots"]
params.cpuparams.n_threads = settings["threads"]
params.cpuparams_batch.n_threads = settings["threads"]
server = xllamacpp.Server(params)
print(f"listening on {server.listening_address}", flush=True)
# The process that started it holds the other end, and may be killed.
sys.stdin.read()
