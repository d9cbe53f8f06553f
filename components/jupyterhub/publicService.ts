/** Name of the chart's public Service, unless values change it. */
export const PUBLIC_SERVICE = "proxy-public";
