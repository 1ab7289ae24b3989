import type { Request } from 'express';

const CLIENT_IP = Symbol('clientIp');
const MAX_USER_AGENT = 400;

/** Where a request comes from: resolved address and user agent (cut to a bound). Personal data: never logged. */
export interface Client {
  readonly ipAddress: string;
  readonly userAgent: string | null;
}

/** Notes the resolved address on the request. */
export function setClientIp(request: Request, ipAddress: string): void {
  (request as Request & { [CLIENT_IP]?: string })[CLIENT_IP] = ipAddress;
}

/** Where the request comes from. */
export function clientOf(request: Request): Client {
  const ipAddress = (request as Request & { [CLIENT_IP]?: string })[CLIENT_IP] ?? '0.0.0.0';
  return { ipAddress, userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null };
}
