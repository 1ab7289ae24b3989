import { ModulesContainer } from '@nestjs/core';
import { readSettings } from '../../../src/platform/config/index.js';
import { Person } from '../../support/organization.js';
import { TestApp } from '../../support/test-app.js';

const ADDRESSES = ['/.well-known/ssf-configuration', '/.well-known/authzen-configuration'];
const EXTRAS = ['AuthzenModule', 'SignalsModule'];

describe('What a deployment leaves out', () => {
  let app: TestApp;
  afterEach(() => app.stop());

  const modules = (): string[] =>
    [...app.app.get(ModulesContainer).values()].map(({ metatype }) => metatype.name);
  const documented = async (): Promise<string[]> => {
    const { paths } = (await (await fetch(`${app.url}/api/docs/openapi.json`)).json()) as { paths: object };
    return Object.keys(paths).filter((path) =>
      /^\/(api\/v1\/signals|access\/v1|\.well-known\/(ssf|authzen))/.test(path),
    );
  };
  const statuses = () =>
    Promise.all(ADDRESSES.map(async (path) => (await fetch(`${app.url}${path}`)).status));

  it('has neither routes nor providers, and a logout leaves nothing for it', async () => {
    app = await TestApp.start({ EXTRAS: 'off', PORTAL: 'off' });
    expect(await statuses()).toEqual([404, 404]);
    expect(await documented()).toEqual([]);
    expect(modules().filter((name) => EXTRAS.includes(name))).toEqual([]);
    const { token } = await Person.signUp(app);
    expect((await app.post('logout', undefined, { token })).status).toBe(204);
    expect(await app.sql('SELECT FROM signal_ended_sessions')).toEqual([]);
  });

  it('is chosen by name', async () => {
    app = await TestApp.start({ EXTRAS: 'signals', PORTAL: 'off' });
    expect(await statuses()).toEqual([200, 404]);
    expect(await documented()).toContain('/api/v1/signals/streams');
    expect(modules().filter((name) => EXTRAS.includes(name))).toEqual(['SignalsModule']);
    const { token } = await Person.signUp(app);
    await app.post('logout', undefined, { token });
    expect(await app.sql('SELECT FROM signal_ended_sessions')).toHaveLength(1);
  });

  it.each(['signal', 'signals,off', 'authzen,,scim'])('refuses %j at the start', (EXTRAS) => {
    expect(() => readSettings({ EXTRAS })).toThrow(/EXTRAS: /);
  });
});
