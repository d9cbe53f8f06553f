"""A moto server on a free loopback port, which it prints; it ends when nobody holds its standard input any more."""

import logging
import os
import sys

# Attachments refer to policies that AWS manages.
os.environ["MOTO_IAM_LOAD_MANAGED_POLICIES"] = "true"
os.environ["MOTO_EC2_LOAD_DEFAULT_AMIS"] = "false"

from moto.server import ThreadedMotoServer  # noqa: E402

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
