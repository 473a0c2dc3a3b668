"""A Slurm cluster on this machine: munged, slurmctld and two slurmd, started and ended by tests."""

import os
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

CONFIGURATION = Path("/etc/slurm/slurm.conf")  # job steps drop SLURM_CONF, so it must be here
COMMANDS = ("munged", "slurmctld", "slurmd", "squeue", "sbatch")
NODES = {"n1": 17001, "n2": 17002}
TEMPLATE = """
ClusterName=tests
SlurmctldHost={host}
SlurmctldPort=17000
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={scratch}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1
DefMemPerCPU=500
JobRequeue=0
ReturnToService=2
SlurmdParameters=config_overrides
StateSaveLocation={scratch}/state
SlurmdSpoolDir={scratch}/%n
SlurmctldPidFile={scratch}/slurmctld.pid
SlurmdPidFile={scratch}/%n.pid
SlurmctldLogFile={scratch}/slurmctld.log
SlurmdLogFile={scratch}/%n.log
{nodes}
PartitionName=all Nodes=n1,n2 Default=YES State=UP
"""


def missing():
    """Return why no cluster can be started here; empty if one can."""
    absent = [command for command in COMMANDS if find(command) is None]
    if absent:
        return f"{', '.join(absent)} not found: install slurm-wlm and munge"
    if os.getuid():
        return "Slurm's daemons need root"
    return f"{CONFIGURATION} belongs to another cluster, or to tests that were killed" if CONFIGURATION.exists() else ""


def find(command):
    """Return the path of a command, of which daemons are in directories of the system."""
    return shutil.which(command, path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"]))


def ask(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()


class Cluster:
    """Two nodes of two processors each."""

    def __init__(self, scratch):
        self.scratch = scratch
        (scratch / "state").mkdir(parents=True)
        self.daemons = {}

    def start(self):
        host = socket.gethostname()
        nodes = "\n".join(
            f"NodeName={name} NodeHostname={host} Port={port} CPUs=2 RealMemory=8000 State=UNKNOWN"
            for name, port in NODES.items()
        )
        CONFIGURATION.parent.mkdir(exist_ok=True)
        CONFIGURATION.write_text(TEMPLATE.format(host=host, scratch=self.scratch, nodes=nodes))
        key = self.scratch / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        places = {"socket": "munge.socket", "pid-file": "munge.pid", "log-file": "munge.log", "seed-file": "munge.seed"}
        options = [f"--{option}={self.scratch / name}" for option, name in places.items()]
        self._run("munged", "--foreground", "--force", f"--key-file={key}", *options)
        self._run("slurmctld", "-D")
        for node in NODES:
            self._run("slurmd", "-D", "-N", node, name=node)
        self.wait(lambda: {*ask("sinfo", "--noheader", "--format=%T")} == {"idle"}, "the nodes to become idle")

    def stop(self):
        subprocess.run(["scancel", "--user=root"], check=False)
        with suppress(TimeoutError):
            self.wait(lambda: not ask("squeue", "--noheader"), "jobs to end")
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
        for daemon in reversed(self.daemons.values()):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        CONFIGURATION.unlink()

    def _run(self, command, *arguments, name=None):
        with (self.scratch / f"{name or command}.out").open("wb") as output:
            self.daemons[name or command] = subprocess.Popen(
                [find(command), *arguments], stdout=output, stderr=subprocess.STDOUT
            )

    def wait(self, holds, what, seconds=30):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds} s for {what}; see {self.scratch}")
            time.sleep(0.2)
