import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../support/built-service.js';
import { DEBIAN_POSTGRES, DebianPostgres } from '../support/debian-postgres.js';
import { Program } from '../support/program.js';
import { askRedis, startRedis } from '../support/redis.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const linesOf = (path: string): string[] =>
  read(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

describeWith(
  [...DEBIAN_POSTGRES, 'haproxy', 'redis-server', 'redis-sentinel'],
  'The files of docs/high-availability.md',
  () => {
    it('are accepted by HAProxy', async () => {
      await promisify(execFile)('haproxy', ['-c', '-f', 'ops/haproxy/postgresql.cfg']);
    });

    it('are accepted by PostgreSQL, and a standby that knows all hosts lets commits through', async () => {
      const settings = linesOf('ops/postgresql/gatehouse.conf')
        .filter((line) => !line.startsWith('listen_addresses'))
        .map((line) => line.replace(/^(\w+) = '?(.*?)'?$/, "'$1=$2'"));
      const first = await DebianPostgres.start(...settings);
      const standby = await first.startStandby('node2', undefined, ...settings);
      const client = new Client({ connectionString: first.url('postgres'), query_timeout: 20_000 });
      await client.connect();
      try {
        await client.query('CREATE TABLE notes (id int)');
        const { rows } = await client.query('SELECT sync_state FROM pg_stat_replication');
        expect(rows).toEqual([{ sync_state: 'quorum' }]);
      } finally {
        await client.end();
        await standby.stop();
        await first.stop();
      }
    });

    it('are accepted by Redis and its Sentinel', async () => {
      const [, ...options] = linesOf('ops/redis/redis.conf');
      const redis = await startRedis(options);
      const port = await freePort();
      const file = read('ops/redis/sentinel.conf')
        .replace('port 26379', `port ${port}\nbind 127.0.0.1`)
        .replace('10.0.0.11 6379 2', `127.0.0.1 ${redis.port} 1`);
      const files = { 'sentinel.conf': file };
      const sentinel = await Program.start('redis-sentinel', { args: ['sentinel.conf'], port, files });
      try {
        const master = () =>
          askRedis(port, (client) => client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'limits'));
        await eventually('it knows the master', async () => (await master()) !== null);
        expect(await master()).toEqual(['127.0.0.1', String(redis.port)]);
      } finally {
        await sentinel.stop();
        await redis.stop();
      }
    });
  },
);
