import type { Scraping, TerasliceSettings } from "../settings";
import { clusterLabels, clusterNames, masterLabels } from "../podConfig/names";

const API = "monitoring.coreos.com/v1";

/** Objects of the Prometheus operator. A preview reports an error if its kinds do not exist. */
export function monitorObjects(settings: TerasliceSettings): object[] {
  const { serviceMonitor, podMonitor, prometheusRule, teraslice } = settings;
  const { namespace, master } = clusterNames(settings);
  const metadata = (name: string, labels: object, annotations: object = {}): object => ({
    name,
    namespace,
    labels: { ...labels, ...clusterLabels(settings) },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  });
  const endpoint = ({ interval, metricRelabelings, relabelings }: Scraping): object => ({
    port: "metrics",
    path: "/metrics",
    interval,
    ...(metricRelabelings.length > 0 && { metricRelabelings }),
    ...(relabelings.length > 0 && { relabelings }),
  });
  return [
    ...(serviceMonitor
      ? [
          {
            apiVersion: API,
            kind: "ServiceMonitor",
            metadata: metadata(master, serviceMonitor.labels, serviceMonitor.annotations),
            spec: {
              jobLabel: "app.kubernetes.io/instance",
              selector: { matchLabels: masterLabels(settings) },
              endpoints: [endpoint(serviceMonitor)],
            },
          },
        ]
      : []),
    ...(podMonitor
      ? [
          {
            apiVersion: API,
            kind: "PodMonitor",
            metadata: metadata(`${teraslice.name}-jobs`, podMonitor.labels, podMonitor.annotations),
            spec: {
              jobLabel: podMonitor.jobLabel,
              podTargetLabels: podMonitor.podTargetLabels,
              selector: {
                matchLabels: { ...podMonitor.matchLabels, ...clusterLabels(settings) },
                // The master has a ServiceMonitor instead.
                matchExpressions: [
                  { key: "app.kubernetes.io/component", operator: "In", values: ["worker", "execution_controller"] },
                ],
              },
              podMetricsEndpoints: [endpoint(podMonitor)],
            },
          },
        ]
      : []),
    ...(prometheusRule
      ? [
          {
            apiVersion: API,
            kind: "PrometheusRule",
            metadata: metadata(master, prometheusRule.labels),
            spec: { groups: [{ name: master, rules: prometheusRule.rules }] },
          },
        ]
      : []),
  ];
}
