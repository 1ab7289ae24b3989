import { eventually, withApp } from '../../support/test-app.js';

type Body = Record<string, unknown>;
type Kind = 'text' | 'password' | 'flag';
interface Field {
  readonly kind: Kind;
  readonly required?: boolean;
  readonly nullable?: boolean;
}

const text: Field = { kind: 'text', required: true };
const password: Field = { kind: 'password', required: true };
const optional: Field = { kind: 'text' };
const clearable: Field = { kind: 'text', nullable: true };
const flag: Field = { kind: 'flag' };
const AUTH = '/api/v1/iam/auth';
const ME = '/api/v1/iam/me';

const profile = { firstName: 'Ada', company: 'Co', country: 'GB', marketingOptIn: true };
const operations: [string, string, Body, Record<string, Field>][] = [
  [
    'POST',
    `${AUTH}/register`,
    { email: 'new@example.com', password: 'quiet-harbour-42', ...profile },
    { email: text, password, firstName: text, company: optional, country: optional, marketingOptIn: flag },
  ],
  ['POST', `${AUTH}/verify-email`, { token: 'x' }, { token: text }],
  ['POST', `${AUTH}/resend-verification`, { email: 'new@example.com' }, { email: text }],
  ['POST', `${AUTH}/login`, { email: 'new@example.com', password: 'x' }, { email: text, password }],
  ['POST', `${AUTH}/refresh`, { refreshToken: 'x' }, { refreshToken: text }],
  ['POST', `${AUTH}/request-password-reset`, { email: 'new@example.com' }, { email: text }],
  [
    'POST',
    `${AUTH}/reset-password`,
    { token: 'x', newPassword: 'quiet-harbour-42' },
    { token: text, newPassword: password },
  ],
  [
    'PATCH',
    ME,
    profile,
    { firstName: optional, company: clearable, country: clearable, marketingOptIn: flag },
  ],
  [
    'PUT',
    `${ME}/password`,
    { currentPassword: 'x', newPassword: 'quiet-harbour-42' },
    { currentPassword: password, newPassword: password },
  ],
];

/** Values that no field of this type accepts. `undefined` leaves the field out. */
function badFor({ kind, required = false, nullable = false }: Field): [string, unknown][] {
  const all: [string, unknown, boolean][] = [
    ['missing', undefined, required],
    ['null', null, !nullable],
    ['a number', 7, true],
    ['true', true, kind !== 'flag'],
    ['a list', ['x'], true],
    ['an object', { x: 1 }, true],
    ['empty', '', true],
    ['blank', ' \u00a0\u3000  ', kind !== 'password'],
    ['"true"', 'true', kind === 'flag'],
    ['overlong', 'x'.repeat(3_000), true],
    ['with NUL', 'abcdefgh\u0000i@example.com', true],
    ['with a line break', 'abcdefgh\r\nBcc: i@example.com', true],
    ['with DEL', 'abcdefgh\u007fi@example.com', true],
    ['with a C1 control', 'abcdefgh\u0085i@example.com', true],
    ['with a line separator', 'abcdefgh\u2028i@example.com', true],
    ['with half a character', 'abcdefgh\ud800i@example.com', true],
    ['ending in half a character', 'abcdefgh@example.com\udc00', true],
  ];
  return all.filter(([, , applies]) => applies).map(([name, value]) => [name, value]);
}

describe('Bad input', () => {
  let token: string;
  let before: unknown;
  const app = withApp();
  beforeAll(async () => {
    token = (await app.login(await app.register())).accessToken;
    await eventually('no job is left', async () => {
      return (await app.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0;
    });
  });
  beforeEach(async () => {
    before = await stored();
  });
  afterEach(async () => expect(await stored()).toEqual(before)); // nothing of a rejected request is stored

  const stored = () =>
    app.sql(`SELECT (SELECT count(*) FROM pending_registrations) AS pending, (SELECT count(*) FROM accounts) AS accounts,
      (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM password_resets) AS resets,
      (SELECT count(*) FROM login_throttles) AS throttles, (SELECT count(*) FROM outgoing_mails) AS mails,
      (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier LIKE '%.%') AS jobs,
      (SELECT md5(string_agg(t::text, ',' ORDER BY id)) FROM accounts t) AS contents`);
  const violations = (body: Body) =>
    (body['violations'] as { propertyPath: string }[] | undefined)?.map(({ propertyPath }) => propertyPath);

  it('accepts a body with one byte order mark (RFC 8259 section 8.1)', async () => {
    const refresh = (raw: string) => app.call('POST', `${AUTH}/refresh`, undefined, { raw });
    expect((await refresh('\ufeff{"refreshToken":"x"}')).body['type']).toBe('/errors/invalid-refresh-token');
    expect(violations((await refresh('\ufeff{"x":1,"x":2}')).body)).toEqual(['x']);
  });

  describe.each(operations)('%s %s', (method, path, good, fields) => {
    it.each(Object.entries(fields))(
      'names %s in one violation, however it is wrong',
      async (field, rules) => {
        for (const [name, value] of badFor(rules)) {
          const { status, body } = await app.call(method, path, { ...good, [field]: value }, { token });
          expect({ name, status, violations: violations(body) }).toEqual({
            name,
            status: 400,
            violations: [field],
          });
        }
      },
    );

    it('names all violations at once', async () => {
      const wrong = Object.fromEntries(Object.keys(fields).map((field) => [field, 7]));
      const answer = await app.call(method, path, wrong, { token });
      expect(violations(answer.body)?.toSorted()).toEqual(Object.keys(fields).toSorted());
    });

    const json = JSON.stringify(good);
    const member = json.slice(1, -1);
    const deep = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},${member}}`;
    const bytes = (...parts: (string | number[])[]) =>
      Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const bodies: [string, string | Buffer<ArrayBuffer>, string][] = [
      ['a list', `[${json}]`, ''],
      ['a text', '"x"', ''],
      ['a number', '7', ''],
      ['null', 'null', ''],
      ['only space', '   ', ''],
      ['cut short', json.slice(0, -1), ''],
      ['two values', `${json}${json}`, ''],
      ['JSON with a comment', `/**/${json}`, ''],
      ['JSON with a trailing comma', `{${member},}`, ''],
      ['JSON with NaN', `{"x":NaN,${member}}`, ''],
      ['33 levels deep', deep(33), ''],
      ['10,000 levels deep', deep(10_000), ''],
      ['one with a key given twice', `{${member},${member}}`, Object.keys(good)[0] ?? ''],
      ['one with a nested key given twice', `{${member},"x":{"y":1,"y":2}}`, 'y'],
      ['one with a key given twice, once escaped', `{${member},"x":1,"\\u0078":2}`, 'x'],
      ['one with a __proto__', `{${member},"__proto__":{"a":1}}`, '__proto__'],
      ['one with an escaped __proto__', `{${member},"\\u005f_proto__":{"a":1}}`, '__proto__'],
      [
        'one with a __proto__ far from its colon',
        `{${member},"__proto__"${' '.repeat(99)}:{"a":1}}`,
        '__proto__',
      ],
      ['one with a constructor', `{${member},"constructor":{"a":1}}`, 'constructor'],
      ['invalid UTF-8', bytes('{"x":"', [0xff, 0xc0, 0x80], `",${member}}`), ''],
      ['a surrogate in UTF-8', bytes('{"x":"', [0xed, 0xa0, 0x80], `",${member}}`), ''],
      ['UTF-8 with two byte order marks', `\ufeff\ufeff${json}`, ''],
      ['UTF-16', Buffer.from(json, 'utf16le'), ''],
    ];
    it('rejects a body that is not a JSON object, or that parsers read differently', async () => {
      for (const [name, raw, property] of bodies) {
        const { status, body } = await app.call(method, path, undefined, { token, raw });
        expect({ name, status, violations: violations(body) }).toEqual({
          name,
          status: 400,
          violations: [property],
        });
      }
    });

    const types: [string, string | Buffer<ArrayBuffer>, Record<string, string>, number][] = [
      ['of 64 KiB and a byte', `${json}${' '.repeat(65_537 - json.length)}`, {}, 413],
      ['of 1 MB', 'x'.repeat(1_000_000), {}, 413],
      ['sent as a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['sent as text', json, { 'content-type': 'text/plain' }, 415],
      ['sent as nothing in particular', Buffer.from(json), { 'content-type': '' }, 415],
      ['in Latin 1', json, { 'content-type': 'application/json; charset=iso-8859-1' }, 415],
      [
        'in two character sets',
        json,
        { 'content-type': 'application/json; charset=utf-8; charset="latin1"' },
        415,
      ],
      ['compressed', json, { 'content-encoding': 'gzip' }, 415],
      ['encoded in an unknown way', json, { 'content-encoding': 'zstd-x' }, 415],
    ];
    it('rejects a body that is too long or of another media type', async () => {
      for (const [name, raw, headers, status] of types) {
        const answer = await app.call(method, path, undefined, { token, raw, headers });
        expect({ name, answer }).toMatchObject({ name, answer: { status, body: { status } } });
        expect(answer.headers.get('content-type')).toContain('application/problem+json');
      }
    });

    it('accepts JSON in UTF-8, whatever the other parameters of its media type', async () => {
      for (const type of [
        'application/json; profile=x',
        'application/json;',
        'application/problem+json; charset="UTF-8"; q=1',
      ]) {
        const answer = await app.call(method, path, undefined, {
          token,
          raw: '[]',
          headers: { 'content-type': type },
        });
        expect({ type, status: answer.status }).toEqual({ type, status: 400 });
      }
    });

    it('names every required field when the body is missing', async () => {
      const required = Object.keys(fields).filter((field) => fields[field]?.required === true);
      const answer = await app.call(method, path, undefined, { token });
      expect(violations(answer.body) ?? []).toEqual(required);
      expect(answer.status).toBe(required.length > 0 ? 400 : 200);
    });
  });

  it('rejects a domain that only a URL parser accepts', async () => {
    const rests = ['/x', '?x', '#x', '\\x', ':80', ' ', '.', '\u00ad', '\u202e', '\t', '\n'];
    const odd = [...rests.map((rest) => `ada@example.com${rest}`), 'ada@ex%61mple.com', 'ada@exam\nple.com'];
    for (const email of odd) {
      const { status, body } = await app.post('resend-verification', { email });
      expect({ email, status, violations: violations(body) }).toEqual({
        email,
        status: 400,
        violations: ['email'],
      });
    }
  });

  it('returns 404 for a malformed id', async () => {
    for (const id of ['%00', 'a%00b', '%F0%9F%98%80', '..%2f', 'x'.repeat(5_000)]) {
      const { status, body } = await app.call('DELETE', `${ME}/sessions/${id}`, undefined, { token });
      expect({ id, status, type: body['type'] }).toEqual({ id, status: 404, type: '/errors/not-found' });
    }
  });

  it.each([
    ['GET', '/api/v1/iam/auth/logos/%00/1'],
    ['GET', '/api/v1/iam/auth/client-logos/%00/1'],
    ['GET', '/api/v1/iam/auth/client-logos/help/a%00b'],
    ['GET', '/api/iam/auth/external/saml/logout/%00'],
    ['GET', '/api/iam/auth/external/saml/metadata/%00'],
    ['GET', '/oauth2/authorize?client_id=%00'],
    ['GET', '/oauth2/logout?client_id=%00'],
    ['GET', '/api/v1/iam/auth/logout-request?clientId=a%00'],
  ])('refuses text that no database takes: %s %s', async (method, path) => {
    const { status, body } = await app.call(method, path);
    const errors = { 400: '/errors/validation-error', 404: '/errors/not-found' };
    expect(Object.entries(errors)).toContainEqual([String(status), body['type']]);
  });
});
