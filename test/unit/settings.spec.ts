import { generateKeyPairSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { inspect } from 'node:util';
import { selfSigned } from '../../src/external-identity/providers/saml/saml-certificate.js';
import { InvalidSettings, readSettings } from '../../src/platform/config/settings.js';

const SECRET = Buffer.alloc(32, 7).toString('base64');

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

  it('report all problems together', () => {
    const bad = {
      PORT: 'x',
      BCRYPT_COST: '4',
      DATABASE_URL: 'postgres://localhost/x',
      TRUSTED_PROXIES: '10.0.0.0/99',
      RATE_READ: '-1',
      ROOT_SECRET: 'c2hvcnQ=',
      EXTERNAL_GOOGLE_CLIENT_ID: 'x',
    };
    const problem = (): unknown => readSettings(bad);
    expect(problem).toThrow(InvalidSettings);
    for (const name of [
      'PORT',
      'TRUSTED_PROXIES',
      'RATE_READ',
      'ROOT_SECRET',
      'BCRYPT_COST',
      'EXTERNAL_GOOGLE_CLIENT_SECRET',
    ])
      expect(problem).toThrow(name);
    expect(problem).toThrow('RATE_READ: must be a whole number from 1, or off');
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
    ['PUBLIC_URL', 'https://example.com/id'],
    ['EXTERNAL_OIDC_NAME', 'x'.repeat(61)],
    ['EXTERNAL_SAML_NAME', 'two\nlines'],
    ['SESSION_TTL', '99999999999'],
    ['SESSION_TTL', '0x100'],
    ['ACCESS_TOKEN_TTL', '1e3'],
    ['PORT', ' '],
    ['ROOT_SECRET', 'this is no base64, but it is long enough to be taken for some'],
    ['ROOT_SECRET_PREVIOUS', `${SECRET},c2hvcnQ=`],
    ['ROOT_SECRET_PREVIOUS', Array.from({ length: 5 }, () => SECRET).join()],
    ['RETURN_URIS', 'app.example.com/cb'],
    ['RETURN_URIS', 'https://good.example.com/cb, http://intranet.example.com/cb'],
    ['RETURN_URIS', 'https://app.example.com/*'],
    ['DATABASE_DIRECT_URL', 'postgres://localhost/x'],
    ['DATABASE_URL', 'http://localhost/x'],
    ['DATABASE_URL', 'postgres://one,two/x'],
    ['DATABASE_URL', 'postgres://one,two/x?target_session_attrs=any'],
    ['DATABASE_URL', 'postgres://one,two:99999/x?target_session_attrs=read-write'],
    ['REDIS_URL', 'http://redis'],
    ['REDIS_URL', 'redis://'],
    ['REDIS_URL', 'redis://one,two'],
    ['REDIS_URL', 'redis://one/name'],
    ['REDIS_URL', 'redis://one:99999'],
    ['REDIS_URL', 'redis+sentinel://one,two'],
    ['REDIS_URL', 'redis+cluster://one,/'],
    ['REDIS_URL', 'redis+cluster://one/1'],
    ['REDIS_URL', 'redis://one?tls=1'],
  ])('refuse an unusable value: %s=%s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(name);
  });

  it('read other root secrets from a list', () => {
    const reveal = (list: string) =>
      readSettings({ ROOT_SECRET_PREVIOUS: list }).ROOT_SECRET_PREVIOUS.map((one) => one.reveal());
    const [seven, eight] = [7, 8].map((n) => Buffer.alloc(32, n));
    expect(reveal([seven, eight].map((one) => one?.toString('base64')).join(', '))).toEqual([seven, eight]);
    expect(reveal('')).toEqual([]);
  });

  const production = { NODE_ENV: 'production' };

  it.each([
    ['nothing said', {}, 'folder'],
    ['a folder asked for', { MAIL: 'folder' }, 'folder'],
    ['a mail server', { SMTP_URL: 'smtp://mail' }, 'smtp'],
    ['a mail server that is meant', { SMTP_URL: 'smtp://mail', MAIL: 'smtp' }, 'smtp'],
    ['a mail server in production', { ...production, SMTP_URL: 'smtp://mail' }, 'smtp'],
    ['the mailbox that a login shell names', { MAIL: '/var/mail/ada' }, 'folder'],
    ['a mailbox beside a mail server', { SMTP_URL: 'smtp://mail', MAIL: '/var/mail/ada' }, 'smtp'],
    ['a folder asked for in production', { ...production, MAIL: 'folder' }, 'folder'],
  ])('choose the mail transport with %s', (_what, given, expected) => {
    expect(readSettings(given).MAIL).toBe(expected);
  });

  it.each([
    ['production without a mail server', production, /SMTP_URL: .*MAIL=folder/],
    [
      'production with no more than a mailbox',
      { ...production, MAIL: '/var/mail/ada' },
      /SMTP_URL: .*MAIL=folder/,
    ],
    ['production with an empty SMTP_URL', { ...production, SMTP_URL: '' }, /SMTP_URL: .*MAIL=folder/],
    ['no mail server where one is meant', { MAIL: 'smtp' }, /SMTP_URL: is required with MAIL=smtp/],
    ['the same in production', { ...production, MAIL: 'smtp' }, /SMTP_URL: is required with MAIL=smtp/],
    ['both at once', { SMTP_URL: 'smtp://mail', MAIL: 'folder' }, /MAIL: .*SMTP_URL/],
    ['a word that is none', { MAIL: 'file' }, /MAIL: /],
  ])('fail the start and name the setting with %s', (_what, given, problem) => {
    expect(() => readSettings(given)).toThrow(problem);
  });

  it('accept a path in PUBLIC_URL without the portal, which is served at /', () => {
    const PUBLIC_URL = 'https://example.com/id';
    expect(() => readSettings({ PUBLIC_URL })).toThrow('PORTAL=off');
    expect(readSettings({ PUBLIC_URL, PORTAL: 'off' })).toMatchObject({ PUBLIC_URL, APP_URL: PUBLIC_URL });
    expect(readSettings({ PUBLIC_URL: 'https://example.com/' }).PUBLIC_URL).toBe('https://example.com');
  });

  it.each([
    ['redis://redis', { kind: 'server', nodes: [{ host: 'redis', port: 6379 }], tls: false, database: 0 }],
    ['redis://[::1]:7000/2', { kind: 'server', nodes: [{ host: '::1', port: 7000 }], database: 2 }],
    ['rediss://limits:a%2Fb@redis.internal', { kind: 'server', tls: true, username: 'limits' }],
    [
      'redis+sentinel://:a%2Fb@s-1:7001,s-2/limits/1',
      {
        kind: 'sentinel',
        nodes: [
          { host: 's-1', port: 7001 },
          { host: 's-2', port: 26_379 },
        ],
        name: 'limits',
        database: 1,
        username: undefined,
      },
    ],
    [
      'rediss+cluster://default:a%2Fb@10.0.0.1,10.0.0.2:6380',
      {
        kind: 'cluster',
        nodes: [
          { host: '10.0.0.1', port: 6379 },
          { host: '10.0.0.2', port: 6380 },
        ],
        tls: true,
      },
    ],
  ])('parse the address of Redis: %s', (REDIS_URL, expected) => {
    const { REDIS_URL: address } = readSettings({ REDIS_URL });
    expect(address).toMatchObject(expected);
    expect(address?.password?.reveal()).toBe(REDIS_URL.includes('@') ? 'a/b' : undefined);
    expect(inspect(address, { depth: null })).not.toContain('a/b');
  });

  it('accept certificates in the formats of identity providers only (SAML-5)', () => {
    const [rsa, other, elliptic, short] = [
      generateKeyPairSync('rsa', { modulusLength: 2_048 }),
      generateKeyPairSync('rsa', { modulusLength: 2_048 }),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('rsa', { modulusLength: 1_024 }),
    ].map((pair) => selfSigned('Lab', pair, new Date(), new Date())) as [string, string, string, string];
    const bare = (pem: string): string => pem.replace(/-----[^-]*-----|\s/g, '');
    const read = (EXTERNAL_SAML_IDP_CERT: string) =>
      readSettings({
        EXTERNAL_SAML_ENTRY_POINT: 'https://idp.example.com/sso',
        EXTERNAL_SAML_IDP_ISSUER: 'https://idp.example.com',
        EXTERNAL_SAML_IDP_CERT,
      }).EXTERNAL_SAML_IDP_CERT;
    for (const one of [rsa, rsa.replaceAll('\n', '\\n'), bare(rsa)]) expect(read(one)).toEqual([rsa]);
    for (const two of [rsa + other, `${bare(rsa)}, ${bare(other)}`]) expect(read(two)).toEqual([rsa, other]);
    for (const bad of [elliptic, short, 'x', `${rsa}x`, `${bare(rsa)},`, bare(rsa).slice(8)])
      expect(() => read(bad)).toThrow('EXTERNAL_SAML_IDP_CERT');
  });

  it('accept origins with a trailing slash and in any case', () => {
    const ALLOWED_ORIGINS = 'https://App.example.com/, http://[::1]:8080,capacitor://localhost';
    expect(readSettings({ ALLOWED_ORIGINS }).ALLOWED_ORIGINS).toEqual([
      'https://app.example.com',
      'http://[::1]:8080',
      'capacitor://localhost',
    ]);
  });

  it('take auto for as many workers as there are cores, and one process by default', () => {
    expect(readSettings({ WORKERS: 'auto' }).WORKERS).toBe(availableParallelism());
    expect(readSettings({}).WORKERS).toBe(1);
    for (const wrong of ['0', 'all', '65'])
      expect(() => readSettings({ WORKERS: wrong })).toThrow('WORKERS: ');
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
