import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Violation } from '../../platform/errors/index.js';

/** Returns whether a text is a network such as `203.0.113.0/24`, or one address. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Returns the violations of a list of networks in the field `networks`. */
export function violationsOfNetworks(networks: readonly string[]): Violation[] {
  return networks.flatMap((network, n) =>
    isNetwork(network)
      ? []
      : [{ propertyPath: `networks[${n}]`, message: 'must be a network such as 203.0.113.0/24' }],
  );
}

/** Compiles networks. @returns whether an address is in one of them */
export function networkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const whole = family === 'ipv6' ? 128 : 32;
    list.addSubnet(address, bits === undefined ? whole : Number(bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
