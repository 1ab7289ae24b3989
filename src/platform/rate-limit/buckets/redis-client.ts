import { Cluster, Redis, type RedisOptions } from 'ioredis-6';
import type { RedisAddress } from '../../config/index.js';
import { TAKE_TOKEN } from './take-token.lua.js';

const MAX_CONNECT_MS = 2_000;
/** Timeout of queries to a Sentinel, or to a node about its cluster. */
const DISCOVERY_TIMEOUT_MS = 500;
/** Maximum time without data while a response is due: a network may drop packets silently. */
const MAX_SILENCE_MS = 2_000;
const RECONNECT_MS = 500;
/** Channel on which Sentinels report: name of the set, former address, new address. */
const SWITCHED = '+switch-master';

/** Redis client. The script is sent once per connection and then called by its hash. */
export interface RedisClient {
  /** Runs {@link TAKE_TOKEN}; interval and period in microseconds. */
  takeToken(key: string, interval: number, period: number): Promise<[number, number, number]>;
  /** `ready` if commands can be sent. */
  readonly status: string;
  connect(): Promise<void>;
  disconnect(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * Creates a client, not yet connected. It reconnects until it is disconnected, and never queues
 * commands while it has no connection.
 */
export function redisClient(address: RedisAddress): RedisClient {
  const { kind, nodes, tls, username, database, name } = address;
  const password = address.password?.reveal();
  const connection: RedisOptions = {
    connectionName: 'gatehouse',
    connectTimeout: MAX_CONNECT_MS,
    socketTimeout: MAX_SILENCE_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // After a failover the former primary refuses writes.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...(tls && { tls: {} }),
    username,
    password,
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
      slotsRefreshTimeout: DISCOVERY_TIMEOUT_MS,
      maxRedirections: 3,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      // Keeps host names unresolved: certificates hold host names.
      dnsLookup: (host, done) => done(null, host),
    }) as unknown as RedisClient;
  }
  const [node] = nodes;
  const redis = new Redis({
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
      sentinelCommandTimeout: DISCOVERY_TIMEOUT_MS,
      enableTLSForSentinelMode: tls,
      ...(tls && { sentinelTLS: {} }),
      sentinelPassword: password,
    }),
  });
  if (kind === 'sentinel') followSentinels(redis, address);
  return redis as unknown as RedisClient;
}

/**
 * Has the client connect again when a Sentinel reports another master: the former one may take
 * writes for ten seconds more, or longer if the Sentinels cannot reach it. The detector of ioredis
 * writes to the console about each Sentinel that is down.
 */
function followSentinels(redis: Redis, { nodes, name, tls, password }: RedisAddress): void {
  const sentinels = nodes.map((node) => {
    const sentinel = new Redis({
      ...node,
      ...(tls && { tls: {} }),
      password: password?.reveal(),
      connectionName: 'gatehouse',
      connectTimeout: MAX_CONNECT_MS,
      enableReadyCheck: false,
      lazyConnect: true,
      maxRetriesPerRequest: null, // subscribes once it is reached
      retryStrategy: () => RECONNECT_MS,
    });
    sentinel.on('error', () => undefined); // it connects again
    sentinel.on('message', (_channel, message: string) => {
      if (message.startsWith(`${name} `)) redis.disconnect(true);
    });
    return sentinel;
  });
  redis.once('connecting', () => {
    for (const sentinel of sentinels) sentinel.subscribe(SWITCHED).catch(() => undefined);
  });
  redis.once('end', () => {
    for (const sentinel of sentinels) sentinel.disconnect();
  });
}
