"""Runtimes on shared hosts, each with a database in ClickHouse."""

import pulumi
import pulumi_stackyard as stackyard

config = pulumi.Config()

# Hosts that run several runtimes each. A deployment takes slots on one of them and stays there.
runtimes = stackyard.ProvisionerSet(
    "runtimes",
    provisioners={
        "shared": {
            "type": "static",
            "spec": {
                "runtimes": [
                    {"host": f"https://{name}.example.com", "slots": config.require_int("slots")}
                    for name in ("one", "two")
                ]
            },
        }
    },
    default_provisioner="shared",
    ledger=config.require_secret("ledger"),
)

# A deployment that requests a database gets one of its own on this server, with a user and a password.
databases = stackyard.ClickHouse(
    "databases",
    provisioners={"main": {"type": "static", "spec": {"url": config.require_secret("clickhouse")}}},
)

# Runtimes are created by stacks of their own, which read these outputs.
pulumi.export("provisioners", runtimes.provisioners)
pulumi.export("defaultProvisioner", runtimes.default_provisioner)
pulumi.export("environments", runtimes.environments)
pulumi.export("provisionerRevisions", runtimes.provisioner_revisions)
pulumi.export("slot", runtimes.slot)
pulumi.export("ledgerUrl", runtimes.ledger_url)
pulumi.export("clickhouse", databases.clickhouse)
pulumi.export("clickhouseRevisions", databases.clickhouse_revisions)
