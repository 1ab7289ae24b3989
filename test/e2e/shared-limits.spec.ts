import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BuiltService, freePort } from '../support/built-service.js';
import { Scrape } from '../support/metrics.js';
import { Program } from '../support/program.js';
import { startRedis } from '../support/redis.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const sharing = async (service: BuiltService) => (await service.get('/readyz')).body['rateLimits'];

/** What the service says about its rate limits, a line each time that it changes. */
function said({ output }: BuiltService): string[] {
  const lines = output.split('\n').filter((line) => line.includes('"context":"RateLimit"'));
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describeWith(['redis-server', 'openssl'], 'Rate limits with REDIS_URL', () => {
  let redis: Program;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it('are shared; without Redis the service serves, and says so in the log, in /readyz and in a metric', async () => {
    const REDIS_URL = `redis://127.0.0.1:${redis.port}`;
    const service = await BuiltService.start({
      LOG_LEVEL: 'info',
      RATE_LOGIN: '5',
      REDIS_URL,
    });
    const attempt = () => service.post('login', { email: 'a@example.com', password: 'wrong' });
    const metrics = () => Scrape.of(service.url);
    const shown = async () => (await metrics()).sum('gatehouse_rate_limit_sharing', { sharing: 'shared' });
    try {
      expect([await sharing(service), await shown()]).toEqual(['shared', 1]);
      expect((await attempt()).status).toBe(401);
      await redis.kill();
      const statuses = [];
      for (let n = 0; n < 6; n += 1) statuses.push((await attempt()).status);
      expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
      expect([await sharing(service), await shown()]).toEqual(['fallback', 0]);
      expect((await metrics()).sum('gatehouse_rate_limit_fallbacks_total')).toBe(4);
      await redis.restart();
      await eventually('Redis is asked again', async () => (await sharing(service)) === 'shared', 5_000);
      await eventually('the log tells of it', () => said(service).length === 3);
      expect(said(service)).toEqual([
        'The rate limits are shared through Redis.',
        'Redis is unavailable: until it is back, each replica counts the rate limits by itself.',
        'The rate limits are shared through Redis.',
      ]);
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });

  it.each([
    ['is absent', async () => undefined],
    ['hangs', async () => redis.pause()],
  ])('let the service start, sign in and refresh while Redis %s', async (how, breakIt) => {
    const port = how === 'is absent' ? await freePort() : redis.port;
    await breakIt();
    const service = await BuiltService.start({ REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LOGIN: '50' });
    try {
      const { refreshToken } = await service.login(await service.register());
      expect((await service.post('refresh', { refreshToken })).status).toBe(200);
      expect(await sharing(service)).toBe('fallback');
      expect((await service.post('login', {})).headers.get('x-ratelimit-limit')).toBe('50');
    } finally {
      redis.resume();
      expect(await service.stop()).toBe(0);
    }
  });

  it('go over TLS to a Redis whose certificate is trusted, and to no other', async () => {
    const folder = temporaryFolder('tls');
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const pair = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-keyout',
      key,
      '-out',
      certificate,
    ];
    await promisify(execFile)('openssl', ['req', '-x509', '-nodes', '-days', '2', ...pair, ...subject]);
    const tlsPort = await freePort();
    const tls = await startRedis([
      `tls-port ${tlsPort}`,
      `tls-cert-file ${certificate}`,
      `tls-key-file ${key}`,
      'tls-auth-clients no',
    ]);
    const REDIS_URL = `rediss://127.0.0.1:${tlsPort}`;
    const services = await Promise.all([
      BuiltService.start({ REDIS_URL, NODE_EXTRA_CA_CERTS: certificate }),
      BuiltService.start({ REDIS_URL }),
    ]);
    expect(await Promise.all(services.map(sharing))).toEqual(['shared', 'fallback']);
    await Promise.all([...services, tls].map((one) => one.stop()));
    await rm(folder, { recursive: true, force: true });
  });
});
