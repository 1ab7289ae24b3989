import { setTimeout as sleep } from 'node:timers/promises';
import { MailServer, SilentMailServer } from '../support/mail-server.js';
import { eventually, TestApp } from '../support/test-app.js';

const person = { password: 'quiet-harbour-42', firstName: 'Ada' };

describe('Mail by a slow SMTP server', () => {
  it('arrives once', async () => {
    const pause = (ms: number) => (_: unknown, __: unknown, done: () => void) => void sleep(ms).then(done);
    const server = await MailServer.start({
      onConnect: (_session, done) => void sleep(4_500).then(() => done()),
      onMailFrom: pause(3_500),
      onRcptTo: pause(3_500),
    });
    const app = await TestApp.start({ SMTP_URL: server.url });
    await app.post('register', { ...person, email: 'slow@example.com' });
    const done = async () =>
      server.received.length > 0 && (await app.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0;
    await eventually('the mail has arrived', done, 40_000);
    expect(server.received).toHaveLength(1);
    await app.stop();
    await server.close();
  }, 60_000);
});

describe('Mail by an SMTP server that does not respond', () => {
  it('is aborted within 15 seconds and retried', async () => {
    const server = await SilentMailServer.start();
    const app = await TestApp.start({ SMTP_URL: server.url });
    await app.post('register', { ...person, email: 'silence@example.com' });
    await eventually('it is tried', () => server.connections === 1);
    await eventually('it is tried again', () => server.connections === 2, 15_000);
    await app.stop();
    await server.close();
  });
});
