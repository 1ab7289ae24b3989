import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';
import type { Replica } from './support/replica.js';

const ROUNDS = inForm(2, 6);
const DRAIN_SECONDS = 3;

acceptance('at-11', 'SIGTERM under load', ['haproxy'], (figures) => {
  let fleet: Fleet;
  beforeAll(async () => {
    const settings = { DRAIN_SECONDS: String(DRAIN_SECONDS) };
    fleet = await Fleet.start({ replicas: 2, settings });
  });
  afterAll(() => fleet.stop());

  /** Returns the milliseconds until the replica reports that it is not ready. */
  async function untilNotReady({ url }: Replica): Promise<number> {
    const began = Date.now();
    while ((await fetch(`${url}/readyz`)).ok) await sleep(20);
    return Date.now() - began;
  }

  it(
    'drops no request behind the load balancer',
    async () => {
      const ledger = await Ledger.open(fleet, { rate: 20 });
      const began = Date.now();
      const [readiness, ends, codes]: [number[], number[], (number | null)[]] = [[], [], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        const replica = fleet.replica(round % 2);
        const [late, end] = await Promise.all([untilNotReady(replica), replica.terminate()]);
        readiness.push(late);
        ends.push(end.ms / 1_000);
        codes.push(end.code);
        say(`ended with ${end.code} after ${end.ms} ms`);
        await replica.restart();
        await sleep(2_000);
      }
      const lost = ledger.since(began).filter(({ outcome }) => outcome !== 'answered');
      figures.none('broken promises', await ledger.check());
      figures.note('requests', ledger.since(began).length);
      figures.note('requests without an answer', lost.length, '', { exactly: 0 });
      figures.note('readiness gone within', Math.max(...readiness), 'ms', { atMost: 1_000 });
      figures.note('ended within', Math.max(...ends), 's', { atMost: 30 });
      figures.note('exit codes that are not 0', codes.filter((code) => code !== 0).length, '', {
        exactly: 0,
      });
    },
    (ROUNDS * 20 + 120) * 1_000,
  );

  it('finishes requests on open connections, and answers "Connection: close"', async () => {
    const replica = fleet.replica(0);
    await replica.terminate();
    await replica.restart({ BCRYPT_COST: '12' });
    const account = await fleet.register();
    const { accessToken } = await fleet.client(0).login(account);
    const dispatcher = new Agent({ connections: 20, keepAliveTimeout: 60_000 });
    const tally = { answered: 0, sentAway: 0, broken: 0 };
    const times: number[] = [];
    /** Sends requests on one connection until an answer closes it. */
    const visitor = async (): Promise<void> => {
      for (let told = false; !told; await sleep(20)) {
        const began = Date.now();
        const request = { headers: { authorization: `Bearer ${accessToken}` }, dispatcher } as RequestInit;
        const response = await fetch(`${replica.url}/api/v1/iam/me`, request).catch(() => null);
        await response?.text();
        times.push(Date.now() - began);
        told = response?.headers.get('connection') === 'close';
        tally[response?.status === 200 ? 'answered' : 'broken'] += 1;
      }
      tally.sentAway += 1;
    };
    const visitors = Array.from({ length: 20 }, visitor);
    await sleep(1_000);
    const logins = Array.from({ length: 10 }, () => fleet.client(0).post('login', account));
    const end = await replica.terminate();
    await Promise.all(visitors);
    const statuses = (await Promise.all(logins)).map(({ status }) => status);
    await replica.restart();
    figures.note('requests on held connections', tally.answered);
    figures.note('p95 of them', percentile(times, 0.95), 'ms');
    figures.note('visitors who were told to go', tally.sentAway, '', { exactly: visitors.length });
    figures.note('connections broken', tally.broken, '', { exactly: 0 });
    figures.note(
      'logins in flight that were answered',
      statuses.filter((status) => status === 200).length,
      '',
      {
        exactly: logins.length,
      },
    );
    figures.note('exit code', end.code ?? -1, '', { exactly: 0 });
    await dispatcher.close();
  }, 120_000);

  it('waits for a slow sender until a deadline', async () => {
    const replica = fleet.replica(0);
    const { port } = new URL(replica.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'POST /api/v1/iam/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
    );
    const trickle = setInterval(() => socket.write(' '), 1_000);
    await sleep(500);
    const end = await replica.terminate();
    clearInterval(trickle);
    socket.destroy();
    figures.note('ended beside a slow sender within', end.ms / 1_000, 's', { atMost: 30 });
    figures.note('exit code beside a slow sender', end.code ?? -1, '', { exactly: 0 });
    await replica.restart();
    figures.none('complaints in the logs', fleet.complaints);
  }, 120_000);
});
