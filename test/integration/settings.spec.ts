import { inspect } from 'node:util';
import { InvalidSettings, readSettings } from '../../src/platform/config/index.js';

describe('Settings', () => {
  it('have a default for everything', () => {
    expect(readSettings({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:3000',
      BCRYPT_COST: 12,
      RATE_LOGIN: 30,
    });
  });

  it('name every problem at once', () => {
    const bad = {
      PORT: 'x',
      BCRYPT_COST: '4',
      DATABASE_URL: 'postgres://localhost/x',
      TRUSTED_PROXIES: '10.0.0.0/99',
      RATE_READ: '-1',
      ROOT_SECRET: 'c2hvcnQ=',
    };
    const problem = (): unknown => readSettings(bad);
    expect(problem).toThrow(InvalidSettings);
    for (const name of ['PORT', 'TRUSTED_PROXIES', 'RATE_READ', 'ROOT_SECRET']) expect(problem).toThrow(name);
    expect(() => readSettings({ BCRYPT_COST: '4' })).toThrow('BCRYPT_COST');
    expect(() => readSettings({ DATABASE_URL: 'postgres://localhost/x' })).toThrow(
      'ROOT_SECRET: is required',
    );
  });

  it.each([
    ['ALLOWED_ORIGINS', '*'],
    ['ALLOWED_ORIGINS', 'https://app.example.com/path'],
    ['ALLOWED_ORIGINS', 'https://app.example.com,app.example.com'],
    ['APP_URL', 'https://app.example.com/?page=1'],
    ['APP_URL', 'https://app.example.com/#page'],
    ['PUBLIC_URL', 'https://user@id.example.com'],
    ['SESSION_TTL', '99999999999'],
  ])('refuse what could never work: %s=%s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(name);
  });

  it('take origins as they are usually written', () => {
    const ALLOWED_ORIGINS = 'https://App.example.com/, http://[::1]:8080,capacitor://localhost';
    expect(readSettings({ ALLOWED_ORIGINS }).ALLOWED_ORIGINS).toEqual([
      'https://app.example.com',
      'http://[::1]:8080',
      'capacitor://localhost',
    ]);
  });

  it('never print a secret', () => {
    const settings = readSettings({
      ROOT_SECRET: Buffer.alloc(32, 7).toString('base64'),
      DATABASE_URL: 'postgres://u:hunter2@localhost/x',
    });
    for (const shown of [
      inspect(settings, { depth: 9 }),
      JSON.stringify(settings),
      `${settings.DATABASE_URL}`,
    ]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain('hunter2');
      expect(shown).not.toContain('BwcHBwcH');
    }
  });
});
