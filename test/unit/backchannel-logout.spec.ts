import type { Counts } from '../../src/platform/counts/index.js';
import { setImmediate as settled } from 'node:timers/promises';
import type { SessionId } from '../../src/kernel/index.js';
import type { ChangeFeed } from '../../src/platform/live/index.js';
import type { OutboundPost, PostOutcome } from '../../src/platform/outbound/index.js';
import type { ClientService } from '../../src/client/index.js';
import { BackchannelLogout } from '../../src/openid/logout/backchannel-logout.js';
import type {
  LogoutClaim,
  LogoutNoticeRepository,
} from '../../src/openid/logout/logout-notice.repository.js';
import type { IdTokens } from '../../src/openid/token/id-tokens.js';

const ACCEPTED: PostOutcome = { status: 204, headers: {}, excerpt: '' };
const CLIENT = 'https://client.example';
/** Sessions have the same name for it as here. */
const NAMED = { subjectType: 'public', sidKey: Buffer.alloc(32), sidKeySince: null };

describe('A logout token', () => {
  let logout: BackchannelLogout;
  let announce: (clientId: string) => void;
  /** Notices that are due. */
  let due: LogoutClaim[];
  let removed: LogoutClaim[];
  let released: { readonly attempts: number; readonly delay: number }[];
  let sent: { readonly url: string; readonly end: (outcome: PostOutcome) => void }[];
  let clients: Map<string, object>;
  beforeEach(() => {
    [due, removed, released, sent] = [[], [], [], []];
    clients = new Map([[CLIENT, { ...NAMED, backchannelLogoutUri: CLIENT }]]);
    const feed = {
      listen: (_: string, listener: { readonly changed: (key: string) => void }) => {
        announce = (clientId) => listener.changed(clientId);
      },
    } as unknown as ChangeFeed;
    const outbound = {
      post: (url: string, { aborting }: { readonly aborting: AbortSignal }) =>
        new Promise<PostOutcome>((resolve) => {
          aborting.addEventListener('abort', () => resolve({ failure: 'aborted' }));
          sent.push({ url, end: resolve });
        }),
    } as unknown as OutboundPost;
    const satellites = {
      findEnabled: (clientId: string) => Promise.resolve(clients.get(clientId) ?? null),
    } as unknown as ClientService;
    const notices = {
      claim: (targets: readonly { readonly clientId: string; readonly free: number }[]) =>
        Promise.resolve(
          targets.flatMap(({ clientId, free }) => {
            const found = due.filter((notice) => notice.clientId === clientId).slice(0, free);
            due = due.filter((notice) => !found.includes(notice));
            return found;
          }),
        ),
      listWaiting: () => Promise.resolve([]),
      remove: (claim: LogoutClaim) => Promise.resolve(void removed.push(claim)),
      release: (_: LogoutClaim, attempts: number, delay: number) =>
        Promise.resolve(void released.push({ attempts, delay })),
    } as unknown as LogoutNoticeRepository;
    const counts = { tally: () => ({ count: () => undefined }) } as unknown as Counts;
    const tokens = { signClaims: () => Promise.resolve('token') } as unknown as IdTokens;
    logout = new BackchannelLogout(feed, outbound, satellites, tokens, notices, counts);
    logout.onModuleInit();
    logout.onApplicationBootstrap();
  });
  afterEach(async () => {
    for (const { end } of sent) end(ACCEPTED);
    await logout.beforeApplicationShutdown();
  });
  const until = async (isReached: () => boolean): Promise<void> => {
    const end = performance.now() + 20_000;
    while (!isReached() && performance.now() < end) await settled();
    expect(isReached()).toBe(true);
  };
  const add = (count: number, { clientId = CLIENT, attempts = 0 } = {}): void => {
    const notice = { clientId, sessionId: 'session' as SessionId, attempts, lease: '' };
    due.push(...Array.from({ length: count }, () => ({ ...notice })));
    announce(clientId);
  };
  const fail = async (outcome: PostOutcome): Promise<void> => {
    await until(() => sent.length === 1);
    sent.splice(0)[0]?.end(outcome);
    await until(() => removed.length + released.length === 1);
  };

  it('is removed once the client has accepted it', async () => {
    add(1);
    await fail(ACCEPTED);
    expect([removed.length, released]).toEqual([1, []]);
  });

  it('is sent again for more than an hour, and given up after the ninth attempt', async () => {
    const delays: number[] = [];
    for (let attempts = 0; attempts < 8; attempts += 1) {
      add(1, { attempts });
      await fail({ ...ACCEPTED, status: 503 });
      expect(released[0]?.attempts).toBe(attempts + 1);
      delays.push(...released.splice(0).map(({ delay }) => delay));
    }
    const seconds = delays.reduce((sum, one) => sum + one, 0);
    expect(seconds).toBeGreaterThan(3_600);
    expect(seconds).toBeLessThan(3 * 3_600);
    add(1, { attempts: 8 });
    await fail({ failure: 'timeout' });
    expect([removed.length, released]).toEqual([1, []]);
  });

  it.each<[PostOutcome, number]>([
    [{ failure: 'timeout' }, 3],
    [{ failure: 'aborted' }, 2],
    [{ ...ACCEPTED, status: 302 }, 3],
    [{ ...ACCEPTED, status: 202 }, 3],
    [{ ...ACCEPTED, status: 500 }, 3],
  ])('counts an attempt if it was sent: %j', async (outcome, attempts) => {
    add(1, { attempts: 2 });
    await fail(outcome);
    expect(released.map((one) => one.attempts)).toEqual([attempts]);
  });

  it('waits while a client hangs, without an attempt, and others get theirs', async () => {
    clients.set('other', { ...NAMED, backchannelLogoutUri: 'other' });
    add(5);
    await until(() => sent.length === 1);
    add(1, { clientId: 'other' });
    await until(() => sent.length === 2);
    expect(sent.map(({ url }) => url)).toEqual([CLIENT, 'other']);
    sent[0]?.end({ failure: 'timeout' });
    await until(() => released.length === 1);
    expect([due.length, released[0]?.attempts]).toEqual([4, 1]);
  });

  it('is removed unsent if the client has gone, or has no back channel any more', async () => {
    clients.set('without', { ...NAMED, backchannelLogoutUri: null });
    add(1, { clientId: 'gone' });
    add(1, { clientId: 'without' });
    await until(() => removed.length === 2);
    expect(sent).toEqual([]);
  });
});
