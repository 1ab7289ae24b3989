import { Scrape } from '../../support/metrics.js';
import { eventually, type Answer, withApp } from '../../support/test-app.js';

const LIMIT = 5;
const ATTACKER = '203.0.113.66';

/** Each request queues up to five mails, or a decoy that costs a session with the mail server. */
describe('Requests to resend the verification mail', () => {
  const app = withApp({ RATE_RESET: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' });

  const resend = (address: string, email: string): Promise<Answer> =>
    app.post('resend-verification', { email }, { headers: { 'x-forwarded-for': address } });
  const decoys = async (): Promise<number> => {
    await eventually(
      'no job is left',
      async () => (await app.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0,
    );
    return (await app.sql("SELECT 1 FROM outgoing_mails WHERE kind = 'decoy'")).length;
  };

  it('queue no more jobs than the limit per network, with the same response', async () => {
    const answers: Answer[] = [];
    for (let n = 0; n < 60; n += 1) answers.push(await resend(ATTACKER, `unknown-${n}@example.com`));
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([202, { status: 'accepted' }]);
      expect([...headers.keys()]).toEqual([...(answers[0]?.headers.keys() ?? [])]);
      expect(headers.get('x-ratelimit-limit')).toBe(answers[0]?.headers.get('x-ratelimit-limit'));
    }
    expect(await decoys()).toBe(LIMIT);
  });

  it('count by the /64 of an IPv6 address, and other networks are served', async () => {
    const before = await decoys();
    for (let n = 0; n < 20; n += 1) await resend(`2001:db8:1:2::${n + 1}`, `unknown-${n}@example.com`);
    expect((await decoys()) - before).toBe(LIMIT);
    await resend('198.51.100.7', 'unknown@example.com');
    expect((await decoys()) - before).toBe(LIMIT + 1);
  });

  it('count apart from requests to reset a password', async () => {
    const headers = { 'x-forwarded-for': ATTACKER };
    expect((await app.post('request-password-reset', { email: 'ada@example.com' }, { headers })).status).toBe(
      202,
    );
  });

  it('are counted in the metrics', async () => {
    const refused = { bucket: 'resend-verification', outcome: 'refused' };
    const scrape = await Scrape.of(app.url);
    expect(scrape.sum('gatehouse_rate_limit_requests_total', refused)).toBe(60 - LIMIT + 20 - LIMIT);
  });
});
