import { BuiltService } from '../../support/built-service.js';
import { Scrape } from '../../support/metrics.js';
import { Program } from '../../support/program.js';
import { startRedis } from '../../support/redis.js';
import { eventually } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const sharing = async (service: BuiltService) => (await service.get('/readyz')).body['rateLimits'];

/** What the service says about its rate limits, a line each time that it changes. */
function said({ output }: BuiltService): string[] {
  const lines = output.split('\n').filter((line) => line.includes('"context":"RateLimit"'));
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describeWith(['redis-server'], 'Rate limits with REDIS_URL', () => {
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
});
