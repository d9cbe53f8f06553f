import { isInternet } from "../../foundation/net/internet";
import { at, listOf, recordsOf, textOr } from "../../foundation/json/parts";
import { wholeFinding, type Finding, type Rule } from "../rule";

/** Ports that may be open to the internet. */
const WEB = new Set([80, 443]);

const open = (cidrs: unknown): string | undefined =>
  listOf(cidrs)
    .map(String)
    .find((cidr) => isInternet(cidr));

/** Protocols by name or number. HTTP/3 uses UDP on port 443. */
const TCP = new Set(["tcp", "6"]);
const UDP = new Set(["udp", "17"]);

/** Whether a rule opens only HTTP or HTTPS. */
function isWeb({ fromPort, toPort, protocol, ipProtocol }: Readonly<Record<string, unknown>>): boolean {
  const [name, port] = [textOr(protocol ?? ipProtocol, "").toLowerCase(), Number(fromPort)];
  return Number(toPort) === port && ((TCP.has(name) && WEB.has(port)) || (UDP.has(name) && port === 443));
}

function ingress(rule: Readonly<Record<string, unknown>>): Finding[] {
  const cidr = open([rule["cidrIpv4"], rule["cidrIpv6"]]) ?? open(rule["cidrBlocks"]) ?? open(rule["ipv6CidrBlocks"]);
  if (cidr === undefined || isWeb(rule)) return [];
  const ports = `${textOr(rule["fromPort"], "all")}-${textOr(rule["toPort"], "all")}`;
  return wholeFinding(
    `found ports ${ports} open to ${cidr}; expected known addresses, or a load balancer on 80 and 443`,
  );
}

export const endpoints: Rule = {
  name: "no-open-endpoint",
  description: "Neither a cluster's API nor a port of the network is open to the whole internet.",
  check({ type, props }) {
    switch (type) {
      case "aws:eks/cluster:Cluster": {
        const vpc = at(props, "vpcConfig");
        if (at(vpc, "endpointPublicAccess") === false) return [];
        const cidrs = at(vpc, "publicAccessCidrs");
        // AWS treats an empty list as 0.0.0.0/0.
        const cidr = listOf(cidrs).length === 0 ? "0.0.0.0/0, which none means" : open(cidrs);
        if (cidr === undefined) return [];
        return wholeFinding(`found its public endpoint open to ${cidr}; expected the CIDR ranges of its clients`);
      }
      case "aws:ec2/securityGroup:SecurityGroup":
      case "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup":
        return recordsOf(props["ingress"]).flatMap(ingress);
      case "aws:ec2/securityGroupRule:SecurityGroupRule":
        return props["type"] === "ingress" ? ingress(props) : [];
      case "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule":
        return ingress(props);
      default:
        return [];
    }
  },
};
