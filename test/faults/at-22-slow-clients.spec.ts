import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitOf } from '../support/built-service.js';
import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Pace } from './support/pace.js';
import { Wire } from './support/wire.js';

const SECONDS = inForm(12, 120);
const CONNECTIONS = inForm(400, 1_000);
/** Difference of a few milliseconds that two clocks may have. */
const SLACK_MS = 50;
const LOGIN = '/api/v1/iam/auth/login';

acceptance('at-22', 'a thousand slow clients', ['slowhttptest'], (figures) => {
  let fleet: Fleet;
  let token: string;
  let pace: Pace;
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 1, balanced: false, settings: { LOG_LEVEL: 'warn' } });
    token = (await fleet.client().login(await fleet.register())).accessToken;
    pace = await Pace.beside(fleet.postgres);
  });
  afterAll(async () => {
    await pace.stop();
    await fleet.stop();
  });

  // Fifty new connections a second: the test is about how long they stay, not how many arrive.
  const attack = async (mode: readonly string[], path: string): Promise<void> => {
    const common = ['-c', String(CONNECTIONS), '-r', '50', '-l', String(SECONDS), '-p', '3'];
    const child = spawn('slowhttptest', [...common, ...mode, '-u', `${fleet.client().url}${path}`], {
      stdio: 'ignore',
    });
    await exitOf(child);
  };

  /** Users with ordinary requests; their response times, and unexpected answers. */
  const visit = async (until: Promise<unknown>): Promise<Wire> => {
    const wire = new Wire({ targets: fleet.targets });
    let over = false;
    void until.then(() => (over = true));
    for (; !over; await sleep(50))
      await wire.ask({ method: 'GET', path: '/api/v1/iam/me', token, expect: [200] });
    return wire;
  };
  const p95 = ({ samples }: Wire) =>
    percentile(
      samples.map(({ ms }) => ms),
      0.95,
    );

  const attacks: [string, readonly string[], string][] = [
    ['slow headers', ['-H', '-i', '10', '-x', '24'], LOGIN],
    ['slow bodies', ['-B', '-i', '10', '-s', '8192', '-x', '10', '-f', 'application/json'], LOGIN],
    ['slow reading', ['-X', '-w', '512', '-y', '1024', '-n', '5', '-z', '32'], '/api/docs/openapi.json'],
    ['overlapping ranges', ['-R', '-a', '10', '-b', '3000', '-t', 'HEAD'], '/api/docs/openapi.json'],
  ];

  /** Returns the seconds until the service closes a connection on which little arrives. */
  const untilCut = (opening: string, trickle: string): Promise<number> =>
    new Promise((resolve) => {
      const began = Date.now();
      const socket = connect(Number(new URL(fleet.client().url).port), '127.0.0.1');
      const timer = setInterval(() => socket.write(trickle), 1_000);
      socket.write(opening);
      socket.on('error', () => undefined);
      socket.resume().on('close', () => {
        clearInterval(timer);
        resolve((Date.now() - began) / 1_000);
      });
    });

  it(
    'do not slow down others, are disconnected in time, and leave no memory or sockets',
    async () => {
      const replica = fleet.replica(0);
      const usual = p95(await visit(sleep(5_000)));
      const { files } = await replica.footprint();
      figures.note('p95 as usual', usual, 'ms');
      const head = `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n`;
      const cuts = Promise.all([untilCut(head, 'X-A: b\r\n'), untilCut(`${head}\r\n{`, ' ')]);
      for (const [name, mode, path] of attacks) {
        say(name);
        const from = Date.now();
        const wire = await visit(attack(mode, path));
        const failed = wire.samples.filter(({ outcome }) => outcome !== 'answered').length;
        figures.note(`p95 beside ${name}`, p95(wire), 'ms', {
          atMost: Math.max(2 * usual, usual + SLACK_MS) + pace.allowance(0.95, { from }),
        });
        figures.note(`errors beside ${name}`, (failed / wire.samples.length) * 100, '%', { atMost: 1 });
        figures.none('broken promises', [...wire.faults, ...fleet.complaints]);
      }
      const [headers, body] = await cuts;
      figures.note('slow headers cut after', headers, 's', { atMost: 15 });
      figures.note('slow body cut after', body, 's', { atMost: 30 });
      for (
        const limit = Date.now() + 40_000;
        (await replica.footprint()).files > files + 20 && Date.now() < limit;
      )
        await sleep(500);
      figures.note('files and sockets more than before', (await replica.footprint()).files - files, '', {
        atMost: 20,
      });
    },
    (SECONDS * 4 + 120) * 1_000,
  );
});
