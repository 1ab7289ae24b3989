import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';

/** Entries of a forwarding header that are looked at, from the right; a longer header is an attack. */
const MAX_HOPS = 20;

/** Resolves the caller's address: the socket's peer, or through trusted proxies the right-most address that is none of them. */
export class ClientIpResolver {
  private readonly trusted = new BlockList();
  private readonly trustsAny: boolean;
  /** Of connections that are open: their addresses do not change. */
  private readonly peers = new WeakMap<Socket, string>();

  /** @param cidrs the proxies, such as `10.0.0.0/8`, already validated */
  constructor(cidrs: readonly string[]) {
    this.trustsAny = cidrs.length > 0;
    for (const cidr of cidrs) {
      const [address = '', bits] = cidr.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      this.trusted.addSubnet(
        address,
        bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits),
        family,
      );
    }
  }

  /** The client's address in plain form; the socket's own where the header is unusable. */
  resolve(request: IncomingMessage): string {
    const peer = this.peerOf(request.socket);
    if (!this.isPassedOn(request)) return peer;
    const header = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').slice(-MAX_HOPS);
    let client = peer;
    for (const hop of hops.toReversed()) {
      const address = plain(hop.trim());
      if (address === null) return client;
      client = address;
      if (!this.isTrusted(address)) return client;
    }
    return client;
  }

  /** Whether a trusted proxy has passed the request on. */
  isPassedOn(request: IncomingMessage): boolean {
    return this.trustsAny && this.isTrusted(this.peerOf(request.socket));
  }

  private peerOf(socket: Socket): string {
    let peer = this.peers.get(socket);
    if (peer === undefined) {
      peer = plain(socket.remoteAddress ?? '') ?? '0.0.0.0';
      this.peers.set(socket, peer);
    }
    return peer;
  }

  private isTrusted(address: string): boolean {
    return this.trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

/** Without zone and IPv4-mapping; null where it is no address. */
function plain(text: string): string | null {
  const address = text.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) ? address : null;
}

/** What an address counts as in limits: itself, or the /64 that an IPv6 caller can roam. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const fill = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...fill, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * The site that a network belongs to: the /48 that providers assign to one customer (RFC 6177), an
 * IPv4 address itself.
 * @param network as {@link networkOf} names it
 */
export function siteOf(network: string): string {
  return network.replace(/^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/, '$1:/48');
}
