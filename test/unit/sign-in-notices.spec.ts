/** @service separate */
import type { AccountService, SecurityNotices, SignInCounts } from '../../src/iam/index.js';
import type { Locked } from '../../src/kernel/locks.js';
import type { UserId } from '../../src/kernel/index.js';
import type { Database } from '../../src/platform/database/index.js';
import type { JobQueue } from '../../src/platform/jobs/index.js';
import { getDeviceName } from '../../src/session/sign-in-notices/device-name.js';
import type { KnownNetworkRepository } from '../../src/session/sign-in-notices/known-network.repository.js';
import { SignInNotices } from '../../src/session/sign-in-notices/sign-in-notices.js';

const ADA = 'ada' as Locked<UserId>;
const AT = '2026-11-24T08:00:00.000Z';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CLIENT = { ipAddress: '203.0.113.7', userAgent: FIREFOX, locale: null };

describe('The notice of a sign-in from a new network', () => {
  let jobs: unknown[][];
  let mails: unknown[][];
  let knowledge: { signedInBefore: boolean; known: boolean };
  let account: { email: string | null; locale: string | null } | null;
  let inTransaction: boolean;
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date(AT) });
    [jobs, mails] = [[], []];
    knowledge = { signedInBefore: true, known: false };
    account = { email: 'ada@example.com', locale: 'fr' };
    inTransaction = false;
  });
  afterEach(() => jest.useRealTimers());
  const deleted: UserId[] = [];
  const notices = () =>
    new SignInNotices(
      {
        transaction: async (work: () => Promise<void>) => {
          inTransaction = true;
          await work().finally(() => (inTransaction = false));
        },
      } as unknown as Database,
      {
        findForShare: () => Promise.resolve(inTransaction ? account : null),
      } as unknown as AccountService,
      {
        note: () => Promise.resolve(knowledge),
        deleteAllOf: (userId: UserId) => Promise.resolve(void deleted.push(userId)),
      } as unknown as KnownNetworkRepository,
      {
        sendNewNetwork: (...mail: unknown[]) => Promise.resolve(void mails.push(mail)),
      } as unknown as SecurityNotices,
      { add: (...job: unknown[]) => Promise.resolve(void jobs.push(job)) } as unknown as JobQueue,
      {} as unknown as SignInCounts,
    );
  const notice = { userId: ADA, at: AT, device: 'Firefox, Linux', ipAddress: '203.0.113.7' };

  it('is queued with time, device and address', async () => {
    await notices().recordSignIn(ADA, CLIENT);
    expect(jobs).toEqual([['session.tell-of-new-network', notice]]);
  });

  it.each([
    ['of the first sign-in', { signedInBefore: false, known: false }],
    ['from a known network', { signedInBefore: true, known: true }],
    ['of a first sign-in from a known network', { signedInBefore: false, known: true }],
  ])('is not queued %s', async (_, before) => {
    knowledge = before;
    await notices().recordSignIn(ADA, CLIENT);
    expect(jobs).toEqual([]);
  });

  it('is mailed to the address of the account, while it exists and has one', async () => {
    await notices().sendNotice(notice);
    const { device, ipAddress } = notice;
    const sent = [
      { email: 'ada@example.com', locale: 'fr' },
      { at: new Date(AT), device, ipAddress },
    ];
    expect(mails).toEqual([sent]);
    account = { email: null, locale: 'fr' };
    await notices().sendNotice(notice);
    account = null;
    await notices().sendNotice(notice);
    expect(mails).toHaveLength(1);
  });

  it('needs no network of an erased account', async () => {
    await notices().deleteKnownNetworks({ userId: ADA });
    expect(deleted).toEqual([ADA]);
  });
});

describe('The name of a device', () => {
  it.each([
    [FIREFOX, 'Firefox, Linux'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge, Windows'],
    ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36 EdgA/140.0', 'Edge, Android'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/140.0 Safari/537.36 OPR/120', 'Opera, Mac'],
    ['Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 Chrome/130.0', 'Samsung Internet, Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Safari/604.1', 'Chrome, iPhone'],
    ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) FxiOS/140.0 Safari/605.1', 'Firefox, iPad'],
    ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0 Safari/537.36', 'Chrome, Linux'],
    ['Mozilla/5.0 (X11; CrOS x86_64) Chrome/140.0 Safari/537.36', 'Chrome, ChromeOS'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/19.0 Safari/605.1.15', 'Safari, Mac'],
    ['Safari/605', 'Safari'],
    ['curl (Linux)', 'Linux'],
    ['curl/8.16', null],
    ['see Safariland.example, NotAndroids and Windowsill', null],
    [null, null],
  ])('of %s is of our own words: %s', (userAgent, name) => {
    expect(getDeviceName(userAgent)).toBe(name);
  });
});
