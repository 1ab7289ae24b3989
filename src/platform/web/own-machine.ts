import type { Request } from 'express';
import { isLoopback } from '../config/index.js';

/** What a proxy or a tunnel on this machine says of whom it speaks for. */
const FORWARDING = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-.+|true-client-ip)$/;

/** Whether a program of this machine asks for itself: neither who comes through a tunnel, nor a page of another site under a name of its own (DNS rebinding). */
export function isFromOwnMachine({ headers, hostname, socket }: Request): boolean {
  const peer = (socket.remoteAddress ?? '').replace('::ffff:', '');
  return (
    isLoopback(peer) && isLoopback(hostname) && !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}
