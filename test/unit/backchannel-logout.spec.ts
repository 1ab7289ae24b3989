import type { SessionId } from '../../src/kernel/index.js';
import type { Database } from '../../src/platform/database/index.js';
import type { JobQueue } from '../../src/platform/jobs/index.js';
import type { OutboundPost, PostOutcome } from '../../src/platform/outbound/index.js';
import type { SatelliteService } from '../../src/satellite/index.js';
import { BackchannelLogout } from '../../src/openid/logout/backchannel-logout.js';
import type { IdTokens } from '../../src/openid/token/id-tokens.js';

const ACCEPTED = { status: 204, headers: {}, excerpt: '' };

describe('A logout token', () => {
  let now: number;
  /** Addresses to which one was sent. */
  let sent: string[];
  let outcomes: Readonly<Record<string, PostOutcome>>;
  let logout: BackchannelLogout;
  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    [sent, outcomes] = [[], {}];
    const outbound = {
      post: (url: string) => {
        sent.push(url);
        return Promise.resolve(outcomes[url] ?? ACCEPTED);
      },
    } as unknown as OutboundPost;
    const satellites = {
      findEnabled: (clientId: string) => Promise.resolve({ clientId, backchannelLogoutUri: clientId }),
    } as unknown as SatelliteService;
    const tokens = { signClaims: () => Promise.resolve('token') } as unknown as IdTokens;
    logout = new BackchannelLogout({} as Database, {} as JobQueue, outbound, satellites, tokens);
  });
  afterEach(() => jest.restoreAllMocks());
  const send = (clientId: string) =>
    logout.send({ clientId, sessionId: 'session' as SessionId }, new AbortController().signal);

  it.each(['timeout', 'host-busy'] as const)(
    'is not sent to a client in the ten seconds after a %s, and to others',
    async (failure) => {
      outcomes = { hangs: { failure } };
      await expect(send('hangs')).rejects.toThrow(`did not accept a logout token: ${failure}`);
      now += 9_999;
      await expect(send('hangs')).rejects.toThrow('did not answer the last logout token in time');
      await send('other');
      expect(sent).toEqual(['hangs', 'other']);
    },
  );

  it('is a probe after the pause: others wait for it, and follow its success', async () => {
    outcomes = { hangs: { failure: 'timeout' } };
    await expect(send('hangs')).rejects.toThrow('timeout');
    now += 10_000;
    const probe = expect(send('hangs')).rejects.toThrow('timeout');
    await expect(send('hangs')).rejects.toThrow('in time');
    await probe;
    outcomes = {};
    now += 10_000;
    await send('hangs');
    await send('hangs');
    expect(sent).toEqual(Array(4).fill('hangs'));
  });

  it.each<[string, PostOutcome]>([
    ['an error', { ...ACCEPTED, status: 503 }],
    ['a refused connection', { failure: 'connection-refused' }],
  ])('is sent again at once after %s, which holds no job', async (_, outcome) => {
    outcomes = { fails: outcome };
    await expect(send('fails')).rejects.toThrow('did not accept');
    await expect(send('fails')).rejects.toThrow('did not accept');
    expect(sent).toEqual(['fails', 'fails']);
  });
});
