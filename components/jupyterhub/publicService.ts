/** Name of the chart's public Service, unless values name its objects otherwise. */
export const PUBLIC_SERVICE = "proxy-public";
