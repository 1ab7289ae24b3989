import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';

/**
 * Maximum number of entries of X-Forwarded-For read from the right; a longer header is an attack.
 */
const MAX_HOPS = 20;

/**
 * Resolves the address of a client: the peer of the socket, or behind trusted proxies the
 * right-most forwarded address that is not a trusted proxy.
 */
export class ClientIpResolver {
  private readonly trusted = new BlockList();
  private readonly trustsAny: boolean;
  /** Peer addresses of open connections, which do not change. */
  private readonly peers = new WeakMap<Socket, string>();

  /** @param cidrs networks of the trusted proxies, such as `10.0.0.0/8`, already validated */
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

  /**
   * @returns the client's address; if the header is malformed, the last address that was trusted
   */
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

  /** Checks whether a trusted proxy forwarded the request. */
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

/** Removes zone and IPv4 mapping from an address; null if the text is not an address. */
function plain(text: string): string | null {
  const address = text.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) ? address : null;
}

/**
 * Returns the network by which limits count an address: an IPv4 address itself; for IPv6 its /64,
 * of which one caller can use any address.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.replace(/\d+(?:\.\d+){3}$/, '0:0').split(':');
  const fill = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...fill, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * Returns the site of a network: the /48 that providers assign to one customer (RFC 6177), an IPv4
 * address itself.
 * @param network as returned by {@link networkOf}
 */
export function siteOf(network: string): string {
  return network.replace(/^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/, '$1:/48');
}
