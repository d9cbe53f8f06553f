import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import type { ProcessIdentity } from "../../foundation/process/identity";
import { writePrivateSync } from "../../foundation/wholeFile";
import type { Deadline } from "./deadline";

/**
 * Waits for a line, then kills at the deadline, with all processes below them and in their sessions, the processes that
 * a file names: `DEADLINE PID:START PID:START`. It needs neither this process nor the worker, which may be stopped. It
 * waits again once the file is removed, and ends with this process and the processes of the file.
 */
const SCRIPT = `
trap '' INT TERM HUP
file=$1
runs() {
  read -r line < "/proc/\${1%:*}/stat" || return 1
  set -- "\${1#*:}" \${line##*) }
  [ "\${21}" = "$1" ] && [ "$2" != Z ]
}
kill_all() {
  found=' '
  for root in "$@"; do runs "$root" && found="$found\${root%:*} "; done
  before=
  while [ "$before" != "$found" ]; do
    before=$found
    for stat in /proc/[0-9]*/stat; do
      pid=\${stat#/proc/}
      pid=\${pid%/stat}
      case "$found" in *" $pid "*) continue ;; esac
      read -r line < "$stat" || continue
      set -- \${line##*) }
      case "$found" in *" $2 "* | *" $4 "*) found="$found$pid " ;; esac
    done
  done
  kill -9 $found
}
while read -r _; do
  while read -r deadline roots < "$file"; do
    read -r now _ < /proc/uptime
    left=$((deadline - \${now%.*}))
    if [ "$left" -le 0 ]; then
      kill_all $roots
      rm -f "$file"
      break
    fi
    some=
    for root in $roots; do runs "$root" && some=1; done
    if [ -z "$some" ]; then
      rm -f "$file"
      break
    fi
    [ "$left" -gt 2 ] && left=2
    sleep "$left"
  done
done
`;

/** The watch over one job. */
export interface Watch {
  /** Watches another process. */
  add(identity: ProcessIdentity): void;
  end(): void;
}

/**
 * Ends a worker and its engines at the deadline of their job, also while this process is stopped, frozen or cut off. It
 * is a shell of a few lines, which costs about 1 MiB and a thousandth of a CPU while a job runs. Linux only.
 */
export class Watchdog {
  private child: ChildProcess | undefined;
  private readonly file = path.join(tmpdir(), `stackyard-watch-${randomUUID()}`);

  /** `report` receives why there is no watchdog. */
  constructor(private readonly report: (line: string) => void) {}

  /** One job at a time. */
  begin(deadline: Deadline, worker: ProcessIdentity): Watch {
    const roots = [worker];
    const write = (): void => {
      const line = [Math.floor(deadline.at), ...roots.map(({ pid, start }) => `${pid}:${start}`)].join(" ");
      try {
        writePrivateSync(this.file, `${line}\n`);
      } catch (error) {
        // The former deadline counts.
        this.report(`a worker is watched without its new deadline: ${String(error)}`);
      }
    };
    write();
    this.child ??= this.start();
    this.child.stdin?.write("\n");
    const ignore = deadline.onExtend(write);
    return {
      add: (identity) => {
        roots.push(identity);
        write();
      },
      end: () => {
        ignore();
        rmSync(this.file, { force: true });
      },
    };
  }

  /** Ends the shell when no job runs. */
  close(): void {
    rmSync(this.file, { force: true });
    this.child?.stdin?.end();
    this.child = undefined;
  }

  private start(): ChildProcess {
    // A session of its own, so that signals to the service's group don't reach it.
    const child = spawn("sh", ["-c", SCRIPT, "stackyard-watchdog", this.file], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    child.once("error", (error) => this.report(`workers have no watchdog: ${error.message}`));
    child.once("exit", () => {
      if (this.child === child) this.child = undefined;
    });
    // It has ended; its exit event reports that.
    child.stdin.on("error", () => undefined);
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    return child;
  }
}
