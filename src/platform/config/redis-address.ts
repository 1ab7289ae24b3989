import { z } from 'zod';
import { Secret } from './secret.js';

const FORM = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^@/?#]+)(?:\/([^?#]*))?$/;
const NODE = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;
const NAME = /^([\w.:-]+)(?:\/(\d{1,5}))?$/;
const DATABASE = /^\d{0,5}$/;
const PORTS = { server: 6379, sentinel: 26_379, cluster: 6379 } as const;

interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Address of Redis: one server, the Sentinels of a set, or nodes of a cluster. */
export interface RedisAddress {
  readonly kind: keyof typeof PORTS;
  readonly nodes: readonly RedisNode[];
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: Secret<string> | undefined;
  /** Number of the database; a cluster has only 0. */
  readonly database: number;
  /** Name of the set that the Sentinels monitor; empty otherwise. */
  readonly name: string;
}

/**
 * Parses `redis://user:password@host:port/database`, `redis+sentinel://host,host/name/database` or
 * `redis+cluster://host,host`; `rediss` instead of `redis` for TLS. Defaults: no password, database
 * 0, port 6379, or 26379 for Sentinels.
 */
export const redisAddress = z.string().transform((url, context): RedisAddress => {
  const address = parse(url);
  if (address !== null) return address;
  context.addIssue({
    code: 'custom',
    message:
      'must be redis://host, redis+sentinel://host,host/name or redis+cluster://host,host (rediss for TLS)',
  });
  return z.NEVER;
});

function parse(url: string): RedisAddress | null {
  const [, tls, form, credentials = '', hosts = '', path = ''] = FORM.exec(url) ?? [];
  if (tls === undefined) return null;
  const kind = (form ?? 'server') as RedisAddress['kind'];
  const nodes = hosts.split(',').map((host) => nodeOf(host, PORTS[kind]));
  if (!nodes.every((node) => node !== null) || (kind === 'server' && nodes.length > 1)) return null;
  const [matched, name = '', database = ''] =
    kind === 'sentinel' ? (NAME.exec(path) ?? []) : [path, '', path];
  if (matched === undefined || !DATABASE.test(database) || (kind === 'cluster' && path !== '')) return null;
  const [username = '', password] = credentials.split(/:(.*)/s, 2).map(decode);
  return {
    kind,
    nodes,
    tls: tls === 's',
    username: username || undefined,
    password: password ? new Secret(password) : undefined,
    database: Number(database),
    name,
  };
}

function nodeOf(text: string, standardPort: number): RedisNode | null {
  const [matched, v6, host, port] = NODE.exec(text) ?? [];
  const number = port === undefined ? standardPort : Number(port);
  return matched === undefined || number < 1 || number > 65_535
    ? null
    : { host: v6 ?? host ?? '', port: number };
}

/** Percent-decodes a text; returns malformed text unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
