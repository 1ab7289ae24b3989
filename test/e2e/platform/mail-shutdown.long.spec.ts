import { BuiltService } from '../../support/built-service.js';
import { MailServer, SilentMailServer } from '../../support/mail-server.js';
import { eventually } from '../../support/test-app.js';

/** A send under way has three seconds to finish; the rest is for a slow machine. */
const ENDS_WITHIN_MS = 10_000;
const EMAIL = 'ada@example.com';

/** A mail server that hangs. */
interface Hanging {
  readonly url: string;
  /** Whether it has a mail in hand. */
  busy(): boolean;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function withoutGreeting(): Promise<Hanging> {
  const server = await SilentMailServer.start();
  closers.push(() => server.close());
  return { url: server.url, busy: () => server.connections > 0 };
}

async function mailServer(...options: Parameters<typeof MailServer.start>): Promise<MailServer> {
  const server = await MailServer.start(...options);
  closers.push(() => server.close());
  return server;
}

async function afterTheSender(): Promise<Hanging> {
  let senders = 0;
  const { url } = await mailServer({ onMailFrom: () => void (senders += 1) });
  return { url, busy: () => senders > 0 };
}

async function afterTheMessage(): Promise<Hanging> {
  const server = await mailServer();
  server.defaultVerdict = 'hang';
  return { url: server.url, busy: () => server.hung.length > 0 };
}

async function start(settings: Record<string, string>): Promise<BuiltService> {
  const service = await BuiltService.start(settings);
  closers.push(() => service.stop());
  return service;
}

describe('A replica that is told to end while a mail server hangs', () => {
  it.each([
    ['before its greeting', withoutGreeting],
    ['after the sender', afterTheSender],
    ['after the message', afterTheMessage],
  ])('%s ends with 0, and another replica sends the mail once', async (_where, hanging) => {
    const server = await hanging();
    const ending = await start({ SMTP_URL: server.url });
    await ending.post('register', { email: EMAIL, password: 'quiet-harbour-42', firstName: 'Ada' });
    await eventually('the mail server has the mail in hand', () => server.busy());
    const began = Date.now();
    ending.kill('SIGTERM');
    expect(await ending.ended).toBe(0);
    expect(Date.now() - began).toBeLessThan(ENDS_WITHIN_MS);

    const jobs = () =>
      ending.sql('SELECT locked_at IS NOT NULL AS locked, run_at <= now() AS due FROM graphile_worker.jobs');
    expect(await jobs()).toEqual([{ locked: false, due: true }]);
    const working = await mailServer();
    await start({ ...ending.environment, SMTP_URL: working.url });
    await eventually('the mail arrives', () => working.to(EMAIL).length > 0, 15_000);
    await eventually('no job is left', async () => (await jobs()).length === 0);
    expect(working.received).toHaveLength(1);
  });
});
