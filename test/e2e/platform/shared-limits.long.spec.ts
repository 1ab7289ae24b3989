import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BuiltService, freePort } from '../../support/built-service.js';
import { Program } from '../../support/program.js';
import { startRedis } from '../../support/redis.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { describeWith } from '../../support/tools.js';

const sharing = async (service: BuiltService) => (await service.get('/readyz')).body['rateLimits'];

/** A Redis that fails while the service runs: shared-limits.spec.ts. */
describeWith(['redis-server', 'openssl'], 'Rate limits with REDIS_URL', () => {
  let redis: Program;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

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
