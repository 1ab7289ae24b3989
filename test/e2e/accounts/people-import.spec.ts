/** @service separate */
import { createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, stepAt } from '../../../src/authenticator/totp/totp-code.js';
import { PasswordHasher } from '../../../src/iam/accounts/credentials/password-hasher.js';
import { startDeletion } from '../../support/deletion.js';
import { HASH_VECTORS, KEYCLOAK_VECTOR, VECTOR_PASSWORDS, WEAK_VECTORS } from '../../support/hash-vectors.js';
import { Organization, Person } from '../../support/organization.js';
import { bytes, type Ceremony, SoftAuthenticator } from '../../support/soft-authenticator.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { QUIET, TestApp } from '../../support/test-app.js';

/** Names of the schemes by which a password was hashed, and all rounds of each series. */
const mockDerived: string[] = [];
const mockRounds = new Map<string, number>();
jest.mock('../../../src/iam/accounts/credentials/imported/hash-scheme.js', () => {
  const actual = jest.requireActual<
    typeof import('../../../src/iam/accounts/credentials/imported/hash-scheme.js')
  >('../../../src/iam/accounts/credentials/imported/hash-scheme.js');
  const findScheme: typeof actual.findScheme = (name) => {
    const scheme = actual.findScheme(name);
    if (!scheme) return null;
    const derive: typeof scheme.derive = (password, salt, rounds) => {
      mockDerived.push(name);
      const { name: series = name, rounds: own = 1 } = scheme.series ?? {};
      mockRounds.set(series, (mockRounds.get(series) ?? 0) + (rounds ?? own));
      return scheme.derive(password, salt, rounds);
    };
    return { ...scheme, derive };
  };
  return { ...actual, findScheme };
});

interface Report {
  readonly imported: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly errors: { readonly line: number; readonly reason: string }[];
}

const PASSWORD = VECTOR_PASSWORDS.plain;
const BCRYPT = HASH_VECTORS['bcrypt ($2y$, PHP)']?.plain ?? '';
const DJANGO = HASH_VECTORS['PBKDF2 (Django)']?.plain ?? '';

let counter = 0;
/** A person of another system, each with its own address. */
function person(fields: Record<string, unknown> = {}) {
  counter += 1;
  return {
    externalId: `u-${counter}`,
    email: `imported-${counter}@example.com`,
    emailVerified: true,
    firstName: 'Ada',
    passwordHash: BCRYPT,
    ...fields,
  };
}
type Line = ReturnType<typeof person>;

async function fileOf(lines: readonly unknown[]): Promise<string> {
  const file = join(temporaryFolder('import'), 'people.ndjson');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, `${text.join('\n')}\n`);
  return file;
}

describe('An import of people', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const importFile = async (file: string, ...words: string[]) =>
    (await app.command('people:import', '--file', file, ...words)) as Report;
  const importLines = async (...lines: unknown[]) => importFile(await fileOf(lines));
  const hashOf = async (email: string) =>
    (
      await app.sql<{ hash: string }>('SELECT password_hash AS hash FROM accounts WHERE email_key = $1', [
        email,
      ])
    )[0]?.hash;
  const login = ({ email }: { email: string }, password: string = PASSWORD) =>
    app.post('login', { email, password });
  const reasonOf = async (line: unknown) => (await importLines(line)).errors[0]?.reason;

  it('lets people sign in with their password, and replaces the hash by the first sign-in', async () => {
    const lines = [person(), person({ passwordHash: DJANGO })];
    expect(await importLines(...lines)).toEqual({ imported: 2, unchanged: 0, failed: 0, errors: [] });
    for (const line of lines) {
      const before = await hashOf(line.email);
      expect(before).toMatch(/^f1\$[\w.]+\$/);
      expect(before).not.toContain(String(line.passwordHash).slice(-20));
      expect((await login(line, 'a-wrong-guess-1')).status).toBe(401);
      expect(await hashOf(line.email)).toBe(before);
      expect((await login(line)).status).toBe(200);
      const after = await hashOf(line.email);
      expect(after).toMatch(/^v1\$/);
      expect((await login(line)).status).toBe(200);
      expect((await login(line, 'a-wrong-guess-1')).status).toBe(401);
      expect(await hashOf(line.email)).toBe(after);
    }
  });

  it('reads each format', async () => {
    const vectors = [...Object.values(HASH_VECTORS), ...Object.values(WEAK_VECTORS)];
    const lines = vectors.map(({ plain }) => person({ passwordHash: plain }));
    const credential = {
      credentialData: JSON.stringify({
        hashIterations: 1_500,
        algorithm: 'pbkdf2-sha256',
        additionalParameters: {},
      }),
      secretData: JSON.stringify({
        value: KEYCLOAK_VECTOR.plain,
        salt: KEYCLOAK_VECTOR.salt,
        additionalParameters: {},
      }),
    };
    const keycloak = person({ passwordHash: credential });
    let imported = 0;
    // Few at a time: sign-ins replace the hashes, so that there is room for further schemes.
    for (const line of [...lines, keycloak]) {
      const report = await importLines(line);
      expect(report).toMatchObject({ imported: 1, errors: [] });
      expect((await login(line)).status).toBe(200);
      imported += report.imported;
    }
    expect(imported).toBe(lines.length + 1);
  });

  it('wraps weak digests, and the first sign-in replaces the wrap', async () => {
    const weak = HASH_VECTORS['phpass']?.plain ?? '';
    const line = person({ passwordHash: weak });
    expect((await importLines(line)).imported).toBe(1);
    expect(await hashOf(line.email)).toMatch(/^f1\$phpass(?:wp)?\.8\.1024\.8\$/);
    expect((await login(line, 'a-wrong-guess-1')).status).toBe(401);
    expect((await login(line)).status).toBe(200);
    expect(await hashOf(line.email)).toMatch(/^v1\$/);
  });

  it('creates accounts without a password, and sends no mail', async () => {
    const line = person({ passwordHash: undefined, firstName: null });
    expect((await importLines(line)).imported).toBe(1);
    expect(await hashOf(line.email)).toBeNull();
    expect((await login(line)).status).toBe(401);
    expect(await app.mails(line.email, 0)).toEqual([]);
    const events = await app.sql(
      "SELECT 1 FROM audit_events e JOIN accounts a ON a.id = e.account_id WHERE a.email_key = $1 AND e.action = 'account.created'",
      [line.email],
    );
    expect(events).toHaveLength(1);
  });

  it('changes nothing when the same file is imported again', async () => {
    const [one, other] = [person(), person()];
    const file = await fileOf([one, other]);
    await importFile(file);
    await login(one);
    const hashes = [await hashOf(one.email), await hashOf(other.email)];
    expect(await importFile(file)).toEqual({ imported: 0, unchanged: 2, failed: 0, errors: [] });
    expect([await hashOf(one.email), await hashOf(other.email)]).toEqual(hashes);
  });

  it('gives ids in the order of the lines, so that indexes grow at their end', async () => {
    const lines = Array.from({ length: 40 }, () => person());
    await importLines(...lines);
    const emails = lines.map(({ email }) => email);
    const created = await app.sql<{ id: string; email: string }>(
      'SELECT id, email FROM accounts WHERE email_key = ANY($1) ORDER BY id',
      [emails],
    );
    expect(created.map(({ email }) => email)).toEqual(emails);
    const { id: later } = await Person.signUp(app);
    expect(created.every(({ id }) => id < later)).toBe(true);
  });

  it('keeps one account of a person, whatever imports run at a time', async () => {
    const line = person();
    await importLines(line);
    const again = `INSERT INTO accounts (id, import_key)
      SELECT '01K3V00000000000000000000B', import_key FROM accounts WHERE email_key = $1`;
    await expect(app.sql(again, [line.email])).rejects.toThrow('accounts_import_key_unique');
  });

  // Before the next test: with accounts of before, an import looks each line up first.
  it('removes registrations that wait for the address of a new account, and no others', async () => {
    const [known, added] = [person(), person()];
    await importLines(known);
    const refused = { ...person(), externalId: known.externalId };
    for (const { email } of [refused, added])
      await app.post('register', { email, password: 'an-attackers-1', firstName: 'Eve' });
    expect(await importLines(refused, added)).toMatchObject({ imported: 1, failed: 1 });
    const waiting = await app.sql(
      'SELECT email_key AS email FROM pending_registrations WHERE email_key = ANY($1)',
      [[refused.email, added.email]],
    );
    expect(waiting).toEqual([{ email: refused.email }]);
  });

  it('finds people again who were imported before accounts had import keys', async () => {
    const [one, other] = [person(), person()];
    await importLines(one, other);
    const former =
      "UPDATE accounts SET id = '0000000000' || import_key, import_key = NULL WHERE email_key = $1";
    for (const { email } of [one, other]) await app.sql(former, [email]);
    expect(await importLines(one)).toMatchObject({ imported: 0, unchanged: 1, failed: 0 });
    const reason = 'the externalId was imported with another address';
    expect(await reasonOf({ ...person(), externalId: one.externalId })).toBe(reason);
    const { accessToken } = await app.login({ email: other.email, password: PASSWORD });
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: accessToken });
    expect(await reasonOf(other)).toBe('the account was erased');
  });

  it('never takes over an account, by its address or by an id', async () => {
    const owner = await Person.signUp(app);
    const before = await hashOf(owner.email);
    const taken = person({ email: owner.email.toUpperCase(), passwordHash: DJANGO });
    const { errors, failed } = await importLines(taken);
    expect({ errors, failed }).toEqual({
      failed: 1,
      errors: [{ line: 1, reason: 'the address has an account already' }],
    });
    expect(await hashOf(owner.email)).toBe(before);
    const first = person();
    await importLines(first);
    const reason = 'the externalId was imported with another address';
    expect(await reasonOf({ ...person(), externalId: first.externalId })).toBe(reason);
  });

  it('does not bring back a person who was erased', async () => {
    const line = person();
    await importLines(line);
    const { accessToken } = await app.login({ email: line.email, password: PASSWORD });
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: accessToken });
    expect(await reasonOf(line)).toBe('the account was erased');
    expect(await hashOf(line.email)).toBeUndefined();
  });

  it('reports each line that is broken, and imports the others', async () => {
    const right = person();
    const broken: [unknown, string][] = [
      ['{"externalId": ', 'is not JSON'],
      ['"text"', 'the line is missing or not valid'],
      ['x'.repeat(70_000), 'is too long, or not UTF-8'],
      [person({ email: 'no-address' }), 'email is not an address'],
      [person({ externalId: undefined }), 'externalId is missing or not valid'],
      [
        person({ emailVerified: false }),
        'emailVerified has to be true: accounts have verified addresses alone',
      ],
      [person({ firstName: 'a\nb' }), 'firstName has control characters'],
      [person({ firstName: 'a\ud800' }), 'firstName is not Unicode'],
      [person({ externalId: 'a\ud800' }), 'externalId is not Unicode'],
      [JSON.stringify(person()).replace('{', '{"email":"other@example.com",'), 'has a field twice'],
      [person({ nickname: 'Ada' }), 'has a field that is not imported'],
      ['{"__proto__":{"emailVerified":true}}', 'externalId is missing or not valid'],
      [`{"externalId":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'externalId is missing or not valid'],
      [
        // PostgreSQL has no such text: sent to it, the line would end the whole import.
        person({ memberships: [{ tenantId: '01K3V00000000000000000000A', roles: ['a\u0000'] }] }),
        'memberships.0.roles.0 has control characters',
      ],
      [
        person({ memberships: [{ tenantId: '../../etc/passwd', roles: ['admin'] }] }),
        'memberships.0.tenantId is not the id of an organization',
      ],
      [person({ passwordHash: 'md5' }), 'the format of the password hash is not known'],
      [
        person({ passwordHash: 'pbkdf2_sha256$99999999$a$b' }),
        'the parameters of the password hash are not accepted',
      ],
      [
        person({ passwordHash: { credentialData: '{', secretData: '{}' } }),
        'the format of the password hash is not known',
      ],
      [{ ...person(), externalId: right.externalId }, 'an earlier line has the externalId'],
      [person({ email: right.email.toUpperCase() }), 'an earlier line has the address'],
    ];
    const report = await importLines(right, '', ...broken.map(([line]) => line), person());
    expect(report).toEqual({
      imported: 2,
      unchanged: 0,
      failed: broken.length,
      errors: broken.map(([, reason], n) => ({ line: n + 3, reason })),
    });
  });

  it('reports doubles of the file across batches', async () => {
    const first = person();
    const others = Array.from({ length: 1_100 }, () => person({ passwordHash: undefined }));
    const report = await importLines(first, ...others, first, person({ email: first.email }));
    expect(report).toMatchObject({ imported: 1_101, unchanged: 0, failed: 2 });
    expect(report.errors).toEqual([
      { line: 1_102, reason: 'an earlier line has the externalId' },
      { line: 1_103, reason: 'an earlier line has the address' },
    ]);
  });

  it('does nothing in a dry run but say what would be done', async () => {
    const owner = await Person.signUp(app);
    const line = person();
    const file = await fileOf([line, person({ email: owner.email })]);
    expect(await importFile(file, '--dry-run')).toMatchObject({ dryRun: true, imported: 1, failed: 1 });
    expect(await hashOf(line.email)).toBeUndefined();
    const report = await importFile(file);
    expect(report).toMatchObject({ imported: 1, failed: 1 });
    expect(report).not.toHaveProperty('dryRun');
  });

  it.each([
    ['a table', ['email,firstName,emailVerified', 'ada@example.com,Ada,true']],
    ['an array', ['', ' [', person(), ']']],
  ])('refuses %s as a whole, and names the page that reads it', async (_, lines) => {
    await expect(importFile(await fileOf(lines))).rejects.toThrow(
      '--file: must have a JSON object on each line; /operator/imports also reads CSV and JSON arrays',
    );
  });

  it('makes people members with roles of the organization, all or nothing', async () => {
    const [organization, other] = [await Organization.found(app), await Organization.found(app)];
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    const packer = { key: 'packer', name: 'Packer', scopes: ['iam:member:read'] };
    expect((await other.call('POST', '/roles', packer)).status).toBe(201);
    const of = (roles: string[], tenantId = organization.id) => ({ memberships: [{ tenantId, roles }] });
    const line = person(of(['admin']));
    expect(await importLines(line)).toMatchObject({ imported: 1, errors: [] });
    const signedIn = await Person.again({ service: app, email: line.email, password: PASSWORD });
    expect((await app.get(organization.path, await signedIn.select(organization.id))).status).toBe(200);
    const noRole = 'memberships names a role that the organization does not have';
    const noTenant = 'memberships names an organization that does not exist, or is archived';
    const archived = await Organization.found(app);
    expect((await archived.call('POST', '/archive')).status).toBe(200);
    const ending = await Organization.found(app);
    await ending.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    await startDeletion(app, ending.id);
    const refused: [Line, string][] = [
      [person(of(['packer'])), noRole],
      [person(of(['owner'])), 'memberships makes an owner of an organization that has one'],
      [person(of(['admin'], other.id)), 'memberships names an organization that does not let support in'],
      [person(of(['admin'], archived.id)), noTenant],
      [person(of(['admin'], ending.id)), noTenant],
      [person(of(['admin'], '01K3V00000000000000000000A')), noTenant],
      [
        person({ memberships: [...of(['admin']).memberships, ...of(['packer']).memberships] }),
        'memberships has an organization twice',
      ],
    ];
    for (const [broken, reason] of refused) {
      expect(await reasonOf(broken)).toBe(reason);
      expect(await hashOf(broken.email)).toBeUndefined();
    }
  });

  it('gives memberships and roles the ends that they have in the file', async () => {
    const organization = await Organization.found(app);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    await organization.call('POST', '/roles', { key: 'packer', name: 'Packer', scopes: ['iam:member:read'] });
    const [soon, later] = [3, 4].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const past = new Date(Date.now() - 1_000).toISOString();
    const of = (more: object, roles = ['admin', 'packer']) => ({
      memberships: [{ tenantId: organization.id, roles, ...more }],
    });
    const lines = [
      person(of({ until: later, roleEnds: [{ key: 'packer', until: soon }] })),
      person(of({ roleEnds: [{ key: 'packer', until: past }] })),
      person(of({ until: past })),
      person(of({ until: null, roleEnds: null })),
    ];
    expect(await importLines(...lines)).toMatchObject({ imported: 4, errors: [] });
    const rows = await app.sql<{ email: string; until: Date | null; roles: Record<string, string> }>(
      `SELECT a.email, m.until, m.notice_at, (SELECT json_object_agg(r.key, mr.until) FROM member_roles mr JOIN roles r ON r.id = mr.role_id
         WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id) AS roles
       FROM members m JOIN accounts a ON a.id = m.user_id WHERE m.tenant_id = $1 AND m.source = 'manual'`,
      [organization.id],
    );
    const ends = lines.map(({ email }) => rows.find((row) => row.email === email) ?? null);
    expect(JSON.parse(JSON.stringify(ends))).toMatchObject([
      { until: later, notice_at: expect.any(String) as string, roles: { admin: null } },
      { until: null, roles: { admin: null } },
      null,
      { until: null, roles: { admin: null, packer: null } },
    ]);
    expect(new Date(ends[0]?.roles['packer'] ?? '')).toEqual(new Date(soon ?? ''));
    expect(Object.keys(ends[1]?.roles ?? {})).toEqual(['admin']);
    const refused: [Line, string][] = [
      [person(of({ until: 'Friday' })), 'memberships.0.until is not a time'],
      [
        person(of({ roleEnds: [{ key: 'member', until: soon }] })),
        'memberships gives an end to a role that it does not name',
      ],
      [person(of({ until: soon }, ['owner'])), 'memberships gives an owner an end'],
      [
        person(of({ roleEnds: [{ key: 'owner', until: soon }] }, ['owner'])),
        'memberships gives an owner an end',
      ],
    ];
    for (const [broken, reason] of refused) expect(await reasonOf(broken)).toBe(reason);
  });

  it('reads ends in any time zone, of each role, and none for an owner', async () => {
    const organization = await Organization.found(app);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    for (const key of ['packer', 'reader'])
      await organization.call('POST', '/roles', { key, name: key, scopes: ['iam:member:read'] });
    const tenantId = organization.id;
    const at = (local: string) => ({ key: 'packer', until: local });
    const { email } = organization.owner.person;
    await app.sql('DELETE FROM member_roles WHERE tenant_id = $1', [tenantId]);
    await app.sql('DELETE FROM members WHERE tenant_id = $1', [tenantId]);
    const owner = person({
      memberships: [{ tenantId, roles: ['owner'], until: null, roleEnds: [] }],
    });
    const manager = person({
      memberships: [
        {
          tenantId,
          roles: ['packer', 'reader', 'admin'],
          roleEnds: [at('2099-03-29T02:30:00+02:00'), { key: 'reader', until: '2099-10-25T02:30:00-05:00' }],
        },
      ],
    });
    const left = person({
      memberships: [{ tenantId, roles: ['packer'], roleEnds: [at('2020-03-29T02:30:00+02:00')] }],
    });
    expect(await importLines(owner, manager, left)).toMatchObject({ imported: 3, errors: [] });
    const held = await app.sql<{ email: string; key: string | null; until: Date | null }>(
      `SELECT a.email, r.key, mr.until FROM members m JOIN accounts a ON a.id = m.user_id
         LEFT JOIN member_roles mr ON mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id LEFT JOIN roles r ON r.id = mr.role_id
       WHERE m.tenant_id = $1 AND a.email <> $2 ORDER BY r.key`,
      [tenantId, email],
    );
    const heldBy = (line: Line) =>
      held.flatMap((row) => (row.email === line.email ? [[row.key, row.until?.toISOString()]] : []));
    expect(heldBy(owner)).toEqual([['owner', undefined]]);
    expect(heldBy(manager)).toEqual([
      ['admin', undefined],
      ['packer', '2099-03-29T00:30:00.000Z'],
      ['reader', '2099-10-25T07:30:00.000Z'],
    ]);
    expect(heldBy(left)).toEqual([[null, undefined]]);
  });

  it('asks for a code of the authenticator app that a person has', async () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const line = person({ totpSecret: secret.toLowerCase().replace(/.{4}/g, '$& ') });
    expect(await importLines(line)).toMatchObject({ imported: 1, errors: [] });
    expect(await app.mails(line.email, 0)).toEqual([]);
    const { body } = await login(line);
    expect(body['accessToken']).toBeUndefined();
    const answer = { method: 'totp', code: codeOf(secret, stepAt(Date.now())) };
    const answered = await app.post('second-factor', { challenge: body['challenge'], ...answer });
    expect(answered.status).toBe(200);
    const refused = person({ totpSecret: 'not-base-32' });
    expect(await reasonOf(refused)).toBe('totpSecret is not base32 of at least 80 bits');
    expect(await hashOf(refused.email)).toBeUndefined();
  });

  describe('with passkeys', () => {
    /** A passkey that was registered with another system of the same domain. */
    const passkeyOf = (fields: Record<string, unknown> = {}) => {
      const device = new SoftAuthenticator(QUIET.PUBLIC_URL);
      device.userHandle = randomBytes(32).toString('base64url');
      const exported = {
        rpId: new URL(QUIET.PUBLIC_URL).hostname,
        credentialId: device.id,
        userHandle: device.userHandle,
        publicKey: device.coseKey().toString('base64url'),
        signCount: 0,
        backupEligible: false,
        backedUp: false,
        transports: ['internal', '', 'NFC'],
        ...fields,
      };
      return { device, exported };
    };
    const signIn = async (device: SoftAuthenticator) => {
      const { body } = await app.post('passkeys/options', {});
      return app.post('passkeys/login', device.assert(body as unknown as Ceremony));
    };

    it('lets people sign in by them, and asks for them after a password', async () => {
      const [one, other] = [passkeyOf(), passkeyOf()];
      const second = { ...other.exported, userHandle: one.exported.userHandle, name: 'Key' };
      other.device.userHandle = one.exported.userHandle;
      const line = person({ passkeys: [one.exported, second] });
      expect(await importFile(await fileOf([line]), '--dry-run')).toMatchObject({ imported: 1, errors: [] });
      expect((await signIn(one.device)).status).toBe(401);
      expect(await importLines(line)).toMatchObject({ imported: 1, errors: [] });
      for (const { device } of [one, other]) expect((await signIn(device)).status).toBe(200);
      const { body } = await login(line);
      expect(body).toMatchObject({ methods: expect.arrayContaining(['passkey']) as unknown });
      expect(body['accessToken']).toBeUndefined();
      const names = await app.sql<{ name: string }>(
        'SELECT p.name FROM passkeys p JOIN accounts a ON a.id = p.account_id WHERE a.email_key = $1 ORDER BY p.name',
        [line.email],
      );
      expect(names.map(({ name }) => name)).toEqual(['Key', 'Passkey']);
    });

    it('refuses those that could not sign in, and those of others', async () => {
      const taken = passkeyOf();
      await importLines(person({ passkeys: [taken.exported] }));
      const { device, exported } = passkeyOf();
      const short = bytes(Buffer.alloc(128, 0xff));
      const rsa = Buffer.concat([
        Buffer.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20]),
        short,
        Buffer.from([0x21, 0x43, 0x01, 0x00, 0x01]),
      ]);
      const offCurve = device.coseKey();
      offCurve.writeUInt8(offCurve.readUInt8(offCurve.length - 1) ^ 1, offCurve.length - 1);
      const notAccepted = 'passkeys has a public key that is not accepted';
      const key = (publicKey: Buffer) => [{ ...exported, publicKey: publicKey.toString('base64url') }];
      const refused: [unknown[], string][] = [
        [[{ ...exported, rpId: 'other.example' }], 'passkeys has one of another domain than PASSKEY_RP_ID'],
        [[exported, passkeyOf().exported], 'passkeys have different user handles'],
        [
          [{ ...exported, userHandle: taken.exported.userHandle }],
          'passkeys has the user handle of another account',
        ],
        [
          [{ ...exported, credentialId: taken.exported.credentialId }],
          'passkeys has one that belongs to an account already',
        ],
        [[exported, exported], 'passkeys has one that belongs to an account already'],
        [key(Buffer.from('not a key')), notAccepted],
        [key(Buffer.alloc(1_500, 0x81)), notAccepted],
        [key(offCurve), notAccepted],
        [key(device.coseKey(-8)), notAccepted],
        [key(device.coseKey(-47)), notAccepted],
        [key(rsa), notAccepted],
        [[{ ...exported, backedUp: true }], 'passkeys has one that is backed up without being eligible'],
        [[{ ...exported, signCount: -1 }], 'passkeys.0.signCount is missing or not valid'],
        [[{ ...exported, credentialId: 'a+b/' }], 'passkeys.0.credentialId is not base64url'],
        [[{ ...exported, userHandle: 'A'.repeat(87) }], 'passkeys.0.userHandle is missing or not valid'],
      ];
      for (const [passkeys, reason] of refused) {
        const line = person({ passkeys });
        expect(await reasonOf(line)).toBe(reason);
        expect(await hashOf(line.email)).toBeUndefined();
      }
      expect(await importLines(person({ passkeys: [exported] }))).toMatchObject({ imported: 1, errors: [] });
    });

    it('refuses one whose counter has gone back, and a device that says another handle', async () => {
      const { device, exported } = passkeyOf({ signCount: 7 });
      await importLines(person({ passkeys: [exported] }));
      expect((await signIn(device)).status).toBe(401);
      device.signCount = 7;
      const { body } = await app.post('passkeys/options', {});
      const forged = device.assert(body as unknown as Ceremony, { userHandle: 'AAAA' });
      expect((await app.post('passkeys/login', forged)).status).toBe(401);
      expect((await signIn(device)).status).toBe(200);
    });
  });

  it('links external identities, each to one account', async () => {
    const google = (subject: string) => ({
      identities: [{ kind: 'google_oauth', issuer: 'https://accounts.google.com', subject }],
    });
    const line = person(google('1084'));
    expect(await importFile(await fileOf([line]), '--dry-run')).toMatchObject({ imported: 1, errors: [] });
    expect(await hashOf(line.email)).toBeUndefined();
    expect(await importLines(line)).toMatchObject({ imported: 1, errors: [] });
    const identities = await app.sql(
      'SELECT i.connection_id, i.is_authority FROM external_identities i JOIN accounts a ON a.id = i.account_id WHERE a.email_key = $1',
      [line.email],
    );
    expect(identities).toEqual([{ connection_id: 'env:google_oauth', is_authority: false }]);
    const other = person(google('1084'));
    expect(await reasonOf(other)).toBe('identities has one that belongs to an account already');
    expect(await hashOf(other.email)).toBeUndefined();
    const unknown = person({ identities: [{ kind: 'fax', issuer: 'x', subject: 'y' }] });
    expect(await reasonOf(unknown)).toBe('identities has a kind that is not known');
  });

  it('removes registrations of an address that wait for their link', async () => {
    const line = person();
    await app.post('register', { email: line.email, password: 'an-attackers-1', firstName: 'Eve' });
    expect((await importLines(line)).imported).toBe(1);
    expect(await app.sql('SELECT 1 FROM pending_registrations WHERE email_key = $1', [line.email])).toEqual(
      [],
    );
    expect((await login(line, 'an-attackers-1')).status).toBe(401);
    expect((await login(line)).status).toBe(200);
  });

  it('answers a password of a registration that waits the same before and after the first sign-in', async () => {
    const line = person();
    await importLines(line);
    await app.post('register', { email: line.email, password: 'an-attackers-1', firstName: 'Eve' });
    const before = await login(line, 'an-attackers-1');
    expect((await login(line)).status).toBe(200);
    const after = await login(line, 'an-attackers-1');
    expect(before.body['type']).toBe('/errors/email-not-verified');
    expect(after.body['type']).toBe(before.body['type']);
  });

  it('refuses the password of a suspended person, and one that was changed since', async () => {
    const [suspended, reset] = [person(), person()];
    await importLines(suspended, reset);
    await app.command('account:suspend', '--account', suspended.email);
    expect((await login(suspended)).status).toBe(401);
    expect(await hashOf(suspended.email)).toMatch(/^f1\$/);
    await app.post('request-password-reset', { email: reset.email });
    const token = await app.mailedToken(reset.email);
    expect((await app.post('reset-password', { token, newPassword: 'another-harbour-43' })).status).toBe(204);
    expect((await login(reset)).status).toBe(401);
    expect((await login(reset, 'another-harbour-43')).status).toBe(200);
  });
});

describe('As long as there are imported passwords, a login', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(async () => {
    await app.stop();
    jest.restoreAllMocks();
  });

  it('does the same work for each address', async () => {
    const [one, other] = [person(), person({ passwordHash: DJANGO })];
    const file = await fileOf([one, other]);
    await app.command('people:import', '--file', file);
    const own = await Person.signUp(app);
    const run = jest.spyOn(PasswordHasher.prototype, 'run');
    const hash = jest.spyOn(PasswordHasher.prototype, 'hash');
    const done: Record<string, unknown> = {};
    for (const [who, email] of Object.entries({
      one: one.email,
      other: other.email,
      own: own.email,
      none: 'no-account@example.com',
    })) {
      mockDerived.length = 0;
      run.mockClear();
      hash.mockClear();
      expect((await app.post('login', { email, password: 'a-wrong-guess-1' })).status).toBe(401);
      done[who] = { names: [...mockDerived], runs: run.mock.calls.length, hashes: hash.mock.calls.length };
    }
    const same = { names: ['bcrypt.5.plain', 'pbkdf2.sha256.1200.32'], runs: 1, hashes: 1 };
    expect(done).toEqual({ one: same, other: same, own: same, none: same });
  });

  it('does so for as many iteration counts as a file has, by the work of the highest', async () => {
    const counts = [10_000, 12_000, 20_000, 36_000, 100_000, 120_000, 150_000, 180_000, 216_000, 260_000];
    const lines = counts.map((count) => {
      const hash = pbkdf2Sync(PASSWORD, 'salt', count, 32, 'sha256').toString('base64');
      return person({ passwordHash: `pbkdf2_sha256$${count}$salt$${hash}` });
    });
    const report = (await app.command('people:import', '--file', await fileOf(lines))) as Report;
    expect(report).toMatchObject({ imported: counts.length, errors: [] });
    const own = await Person.signUp(app);
    const done: unknown[] = [];
    for (const email of [lines[0], lines[4], lines[9], own].map((one) => one?.email ?? '')) {
      mockDerived.length = 0;
      mockRounds.clear();
      expect((await app.post('login', { email, password: 'a-wrong-guess-1' })).status).toBe(401);
      done.push({ calls: mockDerived.length, rounds: Object.fromEntries(mockRounds) });
    }
    const same = { calls: 3, rounds: { 'bcrypt.5.plain': 1, 'pbkdf2.sha256.32': 260_001 } };
    expect(done).toEqual([same, same, same, same]);
    for (const { email } of [lines[0], lines[4], lines[9]].flatMap((one) => one ?? []))
      expect((await app.post('login', { email, password: PASSWORD })).status).toBe(200);
  });

  it('computes no more than four seconds: further kinds are refused', async () => {
    const bcrypt14 = `$2b$14$${'a'.repeat(53)}`;
    const hashes = [
      bcrypt14,
      `bcrypt_sha256$${bcrypt14}`,
      `$wp${bcrypt14}`,
      `$6$rounds=656000$s$${'a'.repeat(86)}`,
    ];
    const lines = hashes.map((passwordHash) => person({ passwordHash }));
    const report = (await app.command('people:import', '--file', await fileOf(lines))) as Report;
    expect(report).toMatchObject({ imported: 3, failed: 1 });
    expect(report.errors[0]).toEqual({
      line: 4,
      reason: 'there are too many kinds of password hashes with different parameters',
    });
  });

  it('is not stalled by a row that an attacker has put into the table', async () => {
    const line = person();
    const id = `01${createHash('sha256').update('row').digest('hex').slice(0, 24).toUpperCase()}`;
    await app.sql('INSERT INTO accounts (id, email, email_key, password_hash) VALUES ($1, $2, $2, $3)', [
      id,
      line.email,
      'f1$sha512crypt.999999999$AAAA',
    ]);
    expect((await app.post('login', { email: line.email, password: PASSWORD })).status).toBe(401);
  });
});
