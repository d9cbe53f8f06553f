"""Runs a command in a terminal of its own, does something to it once it shows a text, and tells as JSON how it ended.

terminal.py ACTION TEXT COMMAND...; ACTION: ctrl-c, ctrl-c-twice or hang-up (the terminal goes away).
"""

import json, os, pty, re, select, signal, sys, time

action, text, command = sys.argv[1], sys.argv[2], sys.argv[3:]
started = time.monotonic()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)

shown, acted, first, ended = "", None, None, 0
while True:
    ready, _, _ = select.select([terminal], [], [], 0.1) if terminal is not None else ([], time.sleep(0.05), [])
    if ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # The last process that had it open is gone.
            os.close(terminal)
            terminal, data = None, b""
        if data:
            first = first or time.monotonic()
            shown += data.decode(errors="replace")
    if acted is None and re.search(text, shown):
        acted = time.monotonic()
        if action == "hang-up":
            os.close(terminal)
            terminal = None
        else:
            os.write(terminal, b"\x03")
            if action == "ctrl-c-twice":
                time.sleep(0.1)
                os.write(terminal, b"\x03")
    if not ended:
        ended, status = os.waitpid(pid, os.WNOHANG)
    if ended and not ready:
        break
    if not ended and time.monotonic() - started > 60:
        os.kill(pid, signal.SIGKILL)

now = time.monotonic()
print(json.dumps({
    "code": os.waitstatus_to_exitcode(status),
    "shown": shown,
    "seconds": None if acted is None else now - acted,
    "first": None if first is None else first - started,
}))
