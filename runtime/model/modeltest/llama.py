"""Serves one model with llama.cpp until standard input ends.

Arguments: weights, name, chat or embed, tokens of one slot, slots, threads, a file for
the address, which appears whole once the server listens.
"""
import os
import sys

import xllamacpp

path, name, mode = sys.argv[1:4]
window, slots, threads = map(int, sys.argv[4:7])
p = xllamacpp.CommonParams()
p.model.path, p.model_alias = path, {name}
p.hostnames, p.port = ["127.0.0.1"], 0
p.n_ctx, p.n_parallel, p.n_gpu_layers = window * slots, slots, 0
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = threads
p.use_jinja = True
if mode == "embed":
    p.embedding = True
    p.n_batch = p.n_ubatch = window  # a text is read in one go
    p.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
server = xllamacpp.Server(p)
with open(sys.argv[7] + ".part", "w") as f:
    f.write(server.listening_address)
os.replace(sys.argv[7] + ".part", sys.argv[7])
sys.stdin.read()
