"""Runs one job of a schedule on the Ray cluster: submits it, prints its output, and ends as it ends.

A later pod of the same run, after the first one was lost, follows the job of the first one.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
import time

from ray.job_submission import JobStatus, JobSubmissionClient

RUN = os.environ["RUN"]
FOLDER = os.environ.get("JOB_FOLDER", "/etc/ray/job")
PAUSE_SECONDS = 2
ENDED = (JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.STOPPED)


def connected():
    """The client, once a head answers. Kubernetes limits the time."""
    while True:
        try:
            return JobSubmissionClient(os.environ["RAY_ADDRESS"])
        except ConnectionError as error:
            print(f"waiting for the head: {error}", flush=True)
            time.sleep(PAUSE_SECONDS)


def begun(client, request):
    """The id of the run's job: one that is not over, or a new one."""
    there = [job for job in client.list_jobs() if (job.submission_id or "").startswith(f"{RUN}-")]
    for job in there:
        if job.status not in (JobStatus.FAILED, JobStatus.STOPPED):
            return job.submission_id
    files = os.path.join(FOLDER, "folder")
    if os.path.isdir(files):
        # A volume consists of links, which Ray would pack twice.
        copy = os.path.join(tempfile.mkdtemp(), "folder")
        shutil.copytree(files, copy, ignore=lambda _, names: [name for name in names if name.startswith("..")])
        request.setdefault("runtime_env", {})["working_dir"] = copy
    return client.submit_job(submission_id=f"{RUN}-{len(there) + 1}", **request)


def followed(client, job):
    """Prints the output of a job until it ends. Returns its status."""
    printed = 0
    while True:
        # First the status, so that the log is complete for it.
        status = client.get_job_status(job)
        log = client.get_job_logs(job)
        sys.stdout.write(log[printed:])
        sys.stdout.flush()
        printed = len(log)
        if status in ENDED:
            return status
        time.sleep(PAUSE_SECONDS)


def stopped(client, job):
    if client.get_job_status(job) in ENDED:
        return
    print(f"stopping job {job}", flush=True)
    client.stop_job(job)
    while client.get_job_status(job) not in ENDED:
        time.sleep(PAUSE_SECONDS)


def end(_signal, _frame):
    # A repeated signal must not interrupt the stop of the job.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit("this pod is ended")


def main():
    signal.signal(signal.SIGTERM, end)
    with open(os.path.join(FOLDER, "job.json"), encoding="utf-8") as file:
        request = json.load(file)
    client = connected()
    job = begun(client, request)
    print(f"job {job}", flush=True)
    try:
        status = followed(client, job)
    except BaseException:
        stopped(client, job)
        raise
    if status != JobStatus.SUCCEEDED:
        raise SystemExit(f"job {job} {status}: {client.get_job_info(job).message}")


main()
