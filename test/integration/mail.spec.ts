import { Logger } from '@nestjs/common';
import { canonicalEmail } from '../../src/kernel/email-address.js';
import { MailServer, type ReceivedMail } from '../support/mail-server.js';
import { Scrape } from '../support/metrics.js';
import { eventually, TestApp } from '../support/test-app.js';

const person = { password: 'quiet-harbour-42', firstName: 'Ada' };

describe('Mail by SMTP', () => {
  let server: MailServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await MailServer.start();
    app = await TestApp.start({ SMTP_URL: server.url, MAIL_FROM: 'accounts@shipper.example' });
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  const register = (email: string, firstName = 'Ada') =>
    app.post('register', { ...person, email, firstName });
  const header = (mail: ReceivedMail | undefined, name: string) =>
    mail?.headers.filter(([known]) => known === name).map(([, value]) => value);
  const jobs = () => app.sql<{ id: string }>('SELECT id FROM graphile_worker.jobs');
  const registered = async (email: string) => expect((await register(email)).status).toBe(202);
  /** Leaves jobs that are due: a worker skips one that is locked, and looks a second later. */
  const tryNow = () =>
    app.sql(
      'SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) FROM graphile_worker.jobs WHERE run_at > now()',
    );
  /** A job that runs when it is to be tried now is tried again later: so each time. */
  const settled = () =>
    eventually('every mail has found its way', async () => {
      await tryNow();
      return (await jobs()).length === 0;
    });
  // What an earlier test that failed has left would be taken for this one's.
  beforeEach(async () => {
    server.verdicts.length = 0;
    await settled();
  });

  it('arrives once, as text and as HTML with the same link', async () => {
    await registered('ada@example.com');
    await settled();
    const [mail, second] = server.to('ada@example.com');
    expect(second).toBeUndefined();
    expect(mail?.to).toEqual(['ada@example.com']);
    expect(header(mail, 'from')).toEqual(['Gatehouse <accounts@shipper.example>']);
    expect(header(mail, 'to')).toEqual(['ada@example.com']);
    expect(header(mail, 'subject')).toEqual(['Verify your email address']);
    expect(header(mail, 'message-id')).toEqual([expect.stringMatching(/^<[\da-z]{26}@shipper\.example>$/)]);
    expect(header(mail, 'auto-submitted')).toEqual(['auto-generated']);
    expect(Object.keys(mail?.parts ?? {})).toEqual(['text/plain', 'text/html']);
    const link = /http:\/\/gatehouse\.test\/verify-email\?token=[\w-]{43}/;
    const [textLink] = link.exec(mail?.parts['text/plain'] ?? '') ?? [];
    expect(link.exec(mail?.parts['text/html'] ?? '')?.[0]).toBe(textLink);
    const token = textLink?.split('token=')[1];
    expect((await app.post('verify-email', { token })).status).toBe(204);
  });

  it('is retried after a temporary refusal, and arrives once', async () => {
    server.verdicts.push('refuse', 'refuse');
    await registered('later@example.com');
    await settled();
    expect(server.verdicts).toEqual([]);
    expect(server.to('later@example.com')).toHaveLength(1);
  });

  it('waits while the server is down, and arrives once when it is back', async () => {
    await server.close();
    try {
      await registered('patient@example.com');
      await eventually('a try has failed', async () => {
        return (await app.sql('SELECT 1 FROM graphile_worker.jobs WHERE run_at > now()')).length === 1;
      });
    } finally {
      await server.open();
    }
    await settled();
    expect(server.to('patient@example.com')).toHaveLength(1);
  });

  it('is not sent after its link has expired', async () => {
    server.verdicts.push('refuse');
    await registered('expired@example.com');
    await eventually('the refusal is over', () => server.verdicts.length === 0);
    await app.sql("UPDATE outgoing_mails SET expires_at = now() - interval '1 second'");
    await eventually('the second try is queued', async () => (await jobs()).length === 1);
    await settled();
    expect(server.to('expired@example.com')).toEqual([]);
  });

  it('is not retried after a permanent refusal', async () => {
    server.verdicts.push('reject');
    await registered('refused@example.com');
    await eventually('the rejection is over', () => server.verdicts.length === 0);
    await settled();
    expect(server.to('refused@example.com')).toEqual([]);
    expect(
      await app.sql('SELECT 1 FROM outgoing_mails WHERE sealed IS NOT NULL AND expires_at > now()'),
    ).toEqual([]);
  });

  it('is recorded and counted, but not one to an address without an account', async () => {
    const counted = async () => {
      const scrape = await Scrape.of(app.url);
      const of = (outcome: string) => scrape.sum('gatehouse_mail_deliveries_total', { outcome });
      return { sent: of('sent'), refused: of('refused') };
    };
    const before = await counted();
    await registered('counted@example.com');
    await settled();
    expect(await counted()).toEqual({ ...before, sent: before.sent + 1 });
    server.verdicts.push('reject');
    await registered('rejected@example.com');
    await settled();
    expect(await counted()).toEqual({ sent: before.sent + 1, refused: before.refused + 1 });
    const records = async () => (await app.sql('SELECT id FROM mail_records')).length;
    const recorded = await records();
    await app.post('request-password-reset', { email: 'unknown@example.com' });
    await settled();
    expect(await app.sql("SELECT 1 FROM outgoing_mails WHERE kind = 'decoy'")).not.toEqual([]);
    expect(await records()).toBe(recorded);
    expect(await counted()).toEqual({ sent: before.sent + 1, refused: before.refused + 1 });
  });

  it.each([
    'eve@example.com\r\nBcc: victim@example.com',
    'eve@example.com\nBcc: victim@example.com',
    'eve\r\nBcc: victim@example.com',
    'eve@example.com, victim@example.com',
    'eve@example.com;victim@example.com',
    'eve@example.com victim@example.com',
    'Eve <victim@example.com>',
    '"eve\r\n"@example.com',
    '"eve, victim"@example.com',
    'eve@example.com>\u0000',
    'eve(victim@example.com)@example.com',
    'eve@[127.0.0.1]',
    '@victim.example:eve@example.com',
  ])('is not queued for the address %j', async (email) => {
    expect((await register(email)).body).toMatchObject({ violations: [{ propertyPath: 'email' }] });
  });

  it.each([
    ['eve%0d%0aBcc:victim@example.com', null],
    ["o'eve+tag/=?^_`{|}~!#$%&*-@example.com", "o'eve+tag/=?^_`{|}~!#$%&*-@example.com"],
    ['eve=?utf-8?q?=0d=0ABcc=3a_victim?=@example.com', 'eve=?utf-8?q?=0d=0ABcc=3a_victim?=@example.com'],
    ['eve@B\u00fccher.example', 'eve@xn--bcher-kva.example'],
  ])('goes only to the recipient of the unusual address %j', async (email, recipient) => {
    const before = server.received.length;
    const { status } = await register(email, 'Bcc: victim@example.com <b>=0D=0A');
    await settled();
    const mails = server.received.slice(before);
    expect(status).toBe(recipient === null ? 400 : 202);
    expect(mails.map(({ to }) => to.map(canonicalEmail))).toEqual(
      recipient === null ? [] : [[canonicalEmail(recipient)]],
    );
    for (const mail of mails) {
      expect(header(mail, 'to')).toEqual([recipient]);
      expect(mail.headers.map(([name]) => name).toSorted()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ]);
      expect(mail.parts['text/plain']).toContain('\u201cBcc victim example com b D A\u201d');
      expect(JSON.stringify(mail.parts)).not.toMatch(/victim@|Bcc:|<b>/);
    }
  });
});

describe('The links of mails that become files', () => {
  const LOCAL = { PUBLIC_URL: 'http://localhost:3000', NODE_ENV: '', BCRYPT_COST: '10' };

  it.each([
    ['are logged in local development', LOCAL, true],
    ['are not logged in production', { ...LOCAL, NODE_ENV: 'production', MAIL: 'folder' }, false],
    ['are not logged where the service is public', { ...LOCAL, PUBLIC_URL: 'https://id.example.com' }, false],
    ['are not logged behind a proxy', { ...LOCAL, TRUSTED_PROXIES: '10.0.0.0/8' }, false],
  ])('%s', async (_what, settings, logged) => {
    const said = jest.spyOn(Logger.prototype, 'log');
    const app = await TestApp.start(settings);
    try {
      await app.post('register', { ...person, email: 'ada@example.com' });
      await app.mailedToken('ada@example.com');
      await eventually('the job is done', async () => {
        return (await app.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0;
      });
      expect(JSON.stringify(said.mock.calls).includes('token=')).toBe(logged);
    } finally {
      said.mockRestore();
      await app.stop();
    }
  });
});

describe('A service without the portal', () => {
  const WARNING = 'links of mails open pages';

  it.each([
    ['without APP_URL warns at start that links of mails lead to no page', {}, true],
    ['with APP_URL starts without a warning', { APP_URL: 'https://app.example.com' }, false],
  ])('%s', async (_what, settings, warned) => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    try {
      await (await TestApp.start({ PORTAL: 'off', ...settings })).stop();
      expect(JSON.stringify(warn.mock.calls).includes(WARNING)).toBe(warned);
    } finally {
      warn.mockRestore();
    }
  });
});
