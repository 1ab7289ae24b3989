import type { Request } from 'express';
import { isLoopback } from '../../config/index.js';

/** Headers by which a proxy or a tunnel names the client that it forwards for. */
const FORWARDING = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-.+|true-client-ip)$/;

/**
 * Checks whether a program on this machine sent the request: not a client behind a tunnel, and not
 * a page of another site under its own host name (DNS rebinding).
 */
export function isFromOwnMachine({ headers, hostname, socket }: Request): boolean {
  const peer = (socket.remoteAddress ?? '').replace('::ffff:', '');
  return (
    isLoopback(peer) && isLoopback(hostname) && !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}
