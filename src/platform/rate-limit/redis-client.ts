import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../config/index.js';
import { TAKE_TOKEN } from './take-token.lua.js';

const CONNECT_MS = 2_000;
/** Of a Sentinel, or of a node that is asked about its cluster. */
const ADVICE_MS = 500;
/** A connection that has been silent for as long while it was asked is dead: a network may swallow packets and tell nobody. */
const SILENCE_MS = 2_000;
const RECONNECT_MS = 500;

/** What we ask of Redis. The script is sent once for each connection and called by its hash after that. */
export interface RedisClient {
  /** {@link TAKE_TOKEN} */
  takeToken(key: string, interval: number, period: number): Promise<[number, number, number]>;
  /** `ready` when it may be asked. */
  readonly status: string;
  connect(): Promise<void>;
  disconnect(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A client that has not connected yet. It connects again by itself for as long as it is not disconnected, and never keeps a question for later. */
export function redisClient(address: RedisAddress): RedisClient {
  const { kind, nodes, tls, username, database, name } = address;
  const password = address.password?.reveal();
  const connection: RedisOptions = {
    connectionName: 'gatehouse',
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // What was the primary before a failover takes no writes any more.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...(tls && { tls: {} }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
  const client = {
    lazyConnect: true,
    scripts: { takeToken: { lua: TAKE_TOKEN, numberOfKeys: 1 } },
  };
  if (kind === 'cluster') {
    return new Cluster([...nodes], {
      ...client,
      redisOptions: connection,
      clusterRetryStrategy: () => RECONNECT_MS,
      slotsRefreshTimeout: ADVICE_MS,
      maxRedirections: 3,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      // Certificates name hosts, a cluster tells addresses.
      dnsLookup: (host, done) => done(null, host),
    }) as unknown as RedisClient;
  }
  const [node] = nodes;
  return new Redis({
    ...connection,
    ...client,
    enableOfflineQueue: false,
    db: database,
    retryStrategy: () => RECONNECT_MS,
    ...(kind === 'server' && node),
    ...(kind === 'sentinel' && {
      sentinels: [...nodes],
      name,
      sentinelRetryStrategy: () => RECONNECT_MS,
      sentinelCommandTimeout: ADVICE_MS,
      enableTLSForSentinelMode: tls,
      ...(tls && { sentinelTLS: {} }),
      ...(password !== undefined && { sentinelPassword: password }),
    }),
  }) as unknown as RedisClient;
}
