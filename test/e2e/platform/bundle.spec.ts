import { BuiltService, freePort, PROGRAM, runBuilt } from '../../support/built-service.js';

const UNBUNDLED = 'dist/src/main.js';
/** Of a folder that cannot be created. */
const BROKEN = { PORT: '0', DATA_DIR: '/dev/null/data', LOG_LEVEL: 'silent' };

/** What `npm start` and the image run; modules of teams import the unbundled files (ADR 58). */
describe('The bundle', () => {
  it('describes the same API as the unbundled files', async () => {
    const service = await BuiltService.start();
    const bundled = await documentOf(service);
    service.kill('SIGTERM');
    await service.ended;
    expect(service.output).not.toContain('Warning'); // Node hides warnings of packages
    const other = await BuiltService.start(service.environment, [], UNBUNDLED);
    expect(await documentOf(other)).toBe(bundled);
    expect(await other.stop()).toBe(0);
  });

  it('names sources, functions and lines in stack traces, as the unbundled files do', async () => {
    const broken = { ...BROKEN, PORT: String(await freePort()) };
    const [bundled, unbundled] = await Promise.all([
      runBuilt(PROGRAM, [], broken),
      runBuilt(UNBUNDLED, [], broken),
    ]);
    expect(bundled.stderr).toMatch(
      /at async loadRootSecret \(.*\/src\/platform\/config\/root-secret\.ts:\d+/,
    );
    expect(bundled).toEqual(unbundled);
  });
});

async function documentOf({ url }: BuiltService): Promise<string> {
  const response = await fetch(`${url}/api/docs/openapi.json`);
  expect(response.status).toBe(200);
  return response.text();
}
