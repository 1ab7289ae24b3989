import type { ChildProcess } from 'node:child_process';
import { Client } from 'pg';
import { exitOf, launch, runBuilt } from '../support/built-service.js';
import { DEBIAN_POSTGRES, type DebianPostgres } from '../support/debian-postgres.js';
import { Namespace, NAMESPACE } from '../support/namespace.js';
import { Organization, Person } from '../support/organization.js';
import { eventually } from '../support/test-app.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';
import { NextRelease } from './support/next-release.js';
import { PostgresPair } from './support/postgres-pair.js';
import { Receiver } from './support/receiver.js';
import { Writer } from './support/writer.js';

const COMMANDS = inForm(30, 200);
const BACK_MS = { atMost: 3_000 };
const PATIENCE_MS = 60_000;

/**
 * A primary is lost while something is under way. Commits wait for the standby. The first replica
 * knows both servers, the second one an address of HAProxy, which ends the sessions of the server
 * that it leaves.
 */
acceptance(
  'at-34-work-under-way',
  'work under way',
  [...DEBIAN_POSTGRES, ...NAMESPACE, 'haproxy'],
  (figures) => {
    let pair: PostgresPair;
    let fleet: Fleet<PostgresPair>;
    let writers: Writer[];
    let ledger: Ledger;
    let namespace: Namespace | undefined;

    async function start(): Promise<void> {
      pair = await PostgresPair.start(true, namespace);
      fleet = await Fleet.on(pair, {
        replicas: 2,
        balanced: false,
        settings: { WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' },
        databaseUrl: () => pair.through('ending'),
      });
      await fleet.replica(0).terminate();
      await fleet.replica(0).restart({ DATABASE_URL: pair.severalHosts });
      ledger = await Ledger.open(fleet, { rate: 15, people: 12 });
      writers = await Promise.all([0, 1].map((n) => Writer.start(fleet, n)));
    }
    afterEach(async () => {
      await fleet.stop();
      await namespace?.remove();
      namespace = undefined;
    });

    async function refuses(n: number): Promise<void> {
      const readiness = async () => (await fetch(`${fleet.replica(n).url}/readyz`)).status;
      await eventually(`replica ${n} is not ready`, async () => (await readiness()) === 503, 5_000);
    }

    /** @returns the moment of the promotion */
    async function promote(): Promise<number> {
      await pair.promote();
      const promoted = performance.now();
      await pair.lead(pair.second, 'ending');
      return promoted;
    }

    /**
     * Resolves when a former primary, which still says that it is one, has been asked three times.
     * What asks it commits, and waits there for the standby.
     */
    async function isAskedAgain(server: DebianPostgres): Promise<void> {
      const reader = new Client({ connectionString: server.url('gatehouse'), application_name: 'faults' });
      await reader.connect();
      try {
        const asking =
          "SELECT 1 FROM pg_stat_activity n JOIN pg_stat_activity r ON r.pid = pg_backend_pid() WHERE n.application_name = 'gatehouse' AND n.backend_start > r.backend_start";
        const times = async () => (await reader.query(asking)).rows.length;
        await eventually('the former primary is asked again', async () => (await times()) >= 3, 20_000);
        expect(await server.isPrimary()).toBe(true);
      } finally {
        await reader.end();
      }
    }

    async function settle(what: string, promoted: number): Promise<void> {
      await eventually(
        'every replica writes',
        () => writers.every((one) => one.wroteAfter(promoted)),
        20_000,
      );
      const back = Math.max(...writers.map((one) => one.backAfter(promoted)));
      figures.note(`${what}: writes back at the latest`, back, 'ms', BACK_MS);
      await Promise.all(writers.map((one) => one.stop()));
      figures.none(
        `${what}: answers other than success and 503`,
        writers.flatMap(({ others }) => others),
      );
      figures.none(`${what}: broken promises`, await ledger.check());
    }

    it('of a migration is done by the next run, and replicas of the release before go on', async () => {
      await start();
      const next = await NextRelease.make();
      let child: ChildProcess | undefined;
      const reader = new Client({ connectionString: pair.first.url('gatehouse') });
      reader.on('error', () => undefined); // its server ends
      await reader.connect();
      try {
        // The migration has changed other tables before it waits for this one.
        await reader.query('BEGIN; LOCK TABLE grants IN ROW EXCLUSIVE MODE');
        const settings = { ...fleet.settings, DATABASE_URL: pair.severalHosts };
        child = launch([next.commandLine, 'migrate'], settings);
        const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'grants'::regclass";
        await eventually('the migration waits', async () => (await pair.sql(waits)).length > 0, 20_000);
        await pair.first.halt();
        const promoted = await promote();
        figures.note('migration: exit code', (await exitOf(child)) ?? -1, '', { exactly: 1 });
        const again = await runBuilt(next.commandLine, ['migrate'], settings);
        figures.note('migration: exit code of the next run', again.code ?? -1, '', { exactly: 0 });
        const columns = "SELECT 1 FROM information_schema.columns WHERE column_name = 'pronouns'";
        figures.note('migration: new columns', (await pair.sql(columns)).length, '', { exactly: 1 });
        await settle('migration', promoted);
      } finally {
        child?.kill('SIGKILL');
        await reader.end().catch(() => undefined);
        await next.remove();
      }
    }, 180_000);

    it('of deliveries: each event of an acknowledged command arrives, once or more', async () => {
      await start();
      const receiver = await Receiver.start();
      try {
        const service = fleet.client(1);
        const owner = await Person.again({ service, ...(await fleet.register()) });
        const organization = await Organization.found(service, owner);
        const { token } = organization.owner;
        const body = { url: receiver.url, types: ['iam.role.created'] };
        const subscribed = await service.call('POST', '/api/v1/webhooks/subscriptions', body, { token });
        expect(subscribed.status).toBe(201);
        receiver.answer = 'slow';
        const acknowledged: string[] = [];
        const command = async (n: number): Promise<void> => {
          const role = { key: `role-${n}`, name: 'Clerk', scopes: [] };
          const answer = await service
            .call('POST', `${organization.path}/roles`, role, { token })
            .catch(() => null);
          if (answer?.status === 201) acknowledged.push(`iam.role.created ${String(answer.body['id'])}`);
        };
        await Promise.all(Array.from({ length: COMMANDS }, (_, n) => command(n)));
        await eventually('some are delivered', () => receiver.accepted.length > 0);
        say(`${receiver.accepted.length} of ${acknowledged.length} delivered`);
        await pair.first.halt();
        const promoted = await promote();
        await eventually('a command is acknowledged', async () => {
          await command(COMMANDS + acknowledged.length + Math.floor(performance.now()));
          return acknowledged.length > COMMANDS;
        });
        // A claim that was cut off between the answer and its record is left to its lease.
        const passMinute =
          "UPDATE webhook_deliveries SET lease_until = now() WHERE state = 'claimed' AND lease_until < now() + interval '40 seconds'";
        const missing = () => acknowledged.filter((event) => !receiver.accepted.includes(event));
        await eventually(
          'all are delivered',
          async () => {
            await pair.sql(passMinute);
            return missing().length === 0;
          },
          PATIENCE_MS,
        );
        figures.none('deliveries: acknowledged events that were lost', missing());
        figures.note('deliveries: events', acknowledged.length);
        figures.note('deliveries: repeated', receiver.accepted.length - new Set(receiver.accepted).size);
        await settle('deliveries', promoted);
      } finally {
        await receiver.stop();
      }
    }, 180_000);

    it('of commands with an Idempotency-Key: a repetition tells the truth, and nothing is done twice', async () => {
      await start();
      const service = fleet.client(1);
      const owner = await Person.again({ service, ...(await fleet.register()) });
      const organization = await Organization.found(service, owner);
      const { token } = organization.owner;
      const create = async (n: number): Promise<string | null> => {
        const role = { key: `role-${n}`, name: 'Clerk', scopes: [] };
        const headers = { 'idempotency-key': `${organization.id}-${n}` };
        const answer = await service
          .call('POST', `${organization.path}/roles`, role, { token, headers })
          .catch(() => null);
        return answer?.status === 201 ? String(answer.body['id']) : null;
      };
      const acknowledged = new Map<number, string>();
      const numbers = Array.from({ length: COMMANDS }, (_, n) => n);
      const creating = numbers.map(async (n) => {
        const id = await create(n);
        if (id !== null) acknowledged.set(n, id);
      });
      await eventually('some are acknowledged', () => acknowledged.size > 0);
      await pair.first.halt();
      await Promise.all(creating);
      const promoted = await promote();
      figures.note('keys: commands without an answer', COMMANDS - acknowledged.size);
      const others: string[] = [];
      for (const n of numbers) {
        let id: string | null = null;
        await eventually(`role ${n} is created`, async () => (id = await create(n)) !== null, 20_000);
        if (id !== (acknowledged.get(n) ?? id)) others.push(`role ${n} has another id`);
      }
      figures.none('keys: repetitions with another answer', others);
      const [row] = await pair.sql<{ count: number }>(
        "SELECT count(*)::int AS count FROM roles WHERE tenant_id = $1 AND key LIKE 'role-%'",
        [organization.id],
      );
      figures.note('keys: roles that are missing, or there twice', (row?.count ?? 0) - COMMANDS, '', {
        exactly: 0,
      });
      await settle('keys', promoted);
    }, 180_000);

    it('of a primary that is cut off from the network goes on at the next one', async () => {
      namespace = await Namespace.create();
      await start();
      const { accessToken } = await fleet.client(1).login(await fleet.register());
      await namespace.cut();
      for (const n of [0, 1]) await refuses(n);
      const promoted = await promote();
      await eventually(
        'every replica writes',
        () => writers.every((one) => one.wroteAfter(promoted)),
        20_000,
      );
      await eventually(
        'the session is ended',
        async () => (await fleet.client(1).post('logout', undefined, { token: accessToken })).status === 204,
        20_000,
      );
      await namespace.mend();
      await isAskedAgain(pair.first);
      const asked = await Promise.all([0, 1].map((n) => fleet.client(n).get('/api/v1/iam/me', accessToken)));
      figures.none(
        'network: an ended session is accepted',
        asked.filter(({ status }) => status !== 401).map(({ status }) => `answered ${status}`),
      );
      await settle('network', promoted);
    }, 180_000);

    it('of a primary that is demoted, as its cluster manager does without its store, waits for it', async () => {
      await start();
      await pair.first.demote();
      for (const n of [0, 1]) await refuses(n);
      await pair.first.promote();
      const promoted = performance.now();
      await settle('demoted', promoted);
    }, 180_000);
  },
);
