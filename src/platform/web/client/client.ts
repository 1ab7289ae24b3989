import type { Request } from 'express';
import { findLocale } from '../../messages/index.js';

const CLIENT_IP = Symbol('clientIp');
/** Maximum length in characters; longer user agents are cut. */
const MAX_USER_AGENT_LENGTH = 400;

/** Resolved address and user agent of the client. Personal data: never logged. */
export interface Client {
  readonly ipAddress: string;
  readonly userAgent: string | null;
  /** Language that the request asks for (BCP 47); null if it names none that texts exist in. */
  readonly locale: string | null;
}

/** Records the resolved address on the request. */
export function setClientIp(request: Request, ipAddress: string): void {
  (request as Request & { [CLIENT_IP]?: string })[CLIENT_IP] = ipAddress;
}

/** Returns the recorded address, which each request needs, without the rest of the client. */
export function clientIpOf(request: Request): string {
  return (request as Request & { [CLIENT_IP]?: string })[CLIENT_IP] ?? '0.0.0.0';
}

/** Returns the client of a request. */
export function clientOf(request: Request): Client {
  return {
    ipAddress: clientIpOf(request),
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    get locale() {
      return findLocale(request);
    },
  };
}
