import type { Database } from '../../src/platform/database/index.js';
import type { JobQueue } from '../../src/platform/jobs/index.js';
import type { CustomerHttp } from '../../src/platform/outbound/index.js';
import type { ClientLogoRepository } from '../../src/client/logos/client-logo.repository.js';
import { ClientLogos } from '../../src/client/logos/client-logos.js';
import type { LiveClients } from '../../src/client/registry/live-clients.js';

describe('The fetch of a logo', () => {
  it('waits in the queue while two other servers hang, so that they hold half of it at most', async () => {
    const asked: string[] = [];
    const hanging: (() => void)[] = [];
    const queued: unknown[] = [];
    const http = {
      together: (work: () => Promise<unknown>) => work(),
      fetch: (url: string) =>
        new Promise((_, reject) => {
          asked.push(url);
          hanging.push(() => reject(new Error('too late')));
        }),
    } as unknown as CustomerHttp;
    const addresses = {
      findAddress: (id: string) => Promise.resolve(`https://${id}.example/logo.png`),
    } as unknown as ClientLogoRepository;
    const jobs = {
      add: (...job: unknown[]) => Promise.resolve(void queued.push(job)),
    } as unknown as JobQueue;
    const logos = new ClientLogos({} as Database, addresses, {} as LiveClients, jobs, http);
    const open = ['one', 'two', 'three'].map((id) => logos.fetch({ id }));
    await open[2];
    expect(asked).toEqual(['https://one.example/logo.png', 'https://two.example/logo.png']);
    expect(queued).toEqual([
      ['fetch_client_logo', { id: 'three', pauses: 1 }, { maxAttempts: 7, delaySeconds: 5 }],
    ]);
    await logos.fetch({ id: 'three', pauses: 60 }); // given up
    expect(queued).toHaveLength(1);
    hanging.forEach((end) => end());
    for (const fetch of open.slice(0, 2)) await expect(fetch).rejects.toThrow('could not be fetched');
    const next = logos.fetch({ id: 'three' });
    while (asked.length < 3) await Promise.resolve();
    hanging.at(-1)?.();
    await expect(next).rejects.toThrow('could not be fetched');
    expect(asked.at(-1)).toBe('https://three.example/logo.png');
  });
});
