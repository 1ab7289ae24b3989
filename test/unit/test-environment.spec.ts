import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Environment {
  teardown(): Promise<void>;
}
const WorkerEnvironment =
  jest.requireActual<new (context: object) => Environment>('../runner/environment.cjs');

describe('The environment of a spec file', () => {
  it('undoes what the spec file changed on globalThis and in process.env', async () => {
    const { setTimeout: timer } = globalThis;
    const environment = new WorkerEnvironment({
      projectConfig: { testEnvironmentOptions: { keptGlobals: ['keptOne'] } },
    });
    const fake = () => 0;
    try {
      Object.assign(globalThis, { setTimeout: fake, leftBehind: true, keptOne: true });
      process.env['LEFT_BEHIND'] = 'yes';
      delete process.env['PATH'];
    } finally {
      await environment.teardown();
    }
    expect(globalThis.setTimeout).toBe(timer);
    expect('leftBehind' in globalThis).toBe(false);
    expect('keptOne' in globalThis).toBe(true);
    Reflect.deleteProperty(globalThis, 'keptOne');
    expect(process.env['LEFT_BEHIND']).toBeUndefined();
    expect(process.env['PATH']).toBeDefined();
  });

  it('removes the temporary folders of the spec file, with what is in them', async () => {
    const environment = new WorkerEnvironment({
      projectConfig: { testEnvironmentOptions: {} },
    });
    const folder = temporaryFolder('left');
    writeFileSync(join(folder, 'people.ndjson'), '{"email":"ada@example.com"}\n');
    await environment.teardown();
    expect(existsSync(folder)).toBe(false);
  });
});
