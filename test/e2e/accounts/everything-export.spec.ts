import { createHmac } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bcrypt from 'bcrypt';
import { TestPasskey, TestTotp } from '../../support/factors.js';
import { HASH_VECTORS } from '../../support/hash-vectors.js';
import { Organization, Person } from '../../support/organization.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { withApp } from '../../support/test-app.js';
import { TestSatellite } from '../../support/satellite.js';

type Line = Record<string, unknown>;

const IMPORTED = [HASH_VECTORS['phpass']?.plain, `$2b$04$${'a'.repeat(53)}`];

const [SOON, LATER] = [3, 4].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());

/** An operator can leave with everything: it holds what the next system needs to go on. */
describe('An export of everything', () => {
  let organization: Organization;
  let ada: Person;
  let totp: TestTotp;
  let passkey: TestPasskey;
  let erased: Person;
  /** Id of a person whose factors count in one organization only. */
  let placed: string;
  let folder: string;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
    ada = organization.owner.person;
    totp = await TestTotp.enrol(app, ada.token);
    const { person: member } = await organization.join('member');
    await organization.call('PATCH', `/members/${member.id}`, {
      until: LATER,
      roles: [{ key: 'member', until: SOON }],
    });
    await TestPasskey.enrol(app, member.token);
    await app.sql('UPDATE passkeys SET assured_by = $1', [organization.id]);
    await app.sql(
      `INSERT INTO totp_authenticators (account_id, id, name, sealed_secret, confirmed_at, last_step, failures, assured_by)
       SELECT $1, $1, name, sealed_secret, confirmed_at, last_step, failures, $2 FROM totp_authenticators`,
      [member.id, organization.id],
    );
    placed = member.id;
    passkey = await TestPasskey.enrol(app, (await Person.signUp(app)).token);
    const linked = await Person.signUp(app);
    await app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject)
       VALUES ('01K3V9D7Q8Z4X5N6M7P8R9S0T1', $1, 'google_oauth', 'env:google_oauth', 'https://accounts.google.com', '1084')`,
      [linked.id],
    );
    erased = await Person.signUp(app);
    expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, erased)).status).toBe(204);
    await TestSatellite.register(app);
    const imports = join(temporaryFolder('import'), 'people.ndjson');
    const people = IMPORTED.map((passwordHash, n) => ({
      externalId: `other-${n}`,
      email: `imported-${n}@example.com`,
      emailVerified: true,
      passwordHash,
    }));
    await writeFile(imports, people.map((person) => JSON.stringify(person)).join('\n'));
    await app.command('people:import', '--file', imports);
    folder = join(temporaryFolder('export'), 'all');
  });

  const read = async (name: string): Promise<Line[]> =>
    (await readFile(join(folder, `${name}.ndjson`), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  const lineOf = async (id: string): Promise<Line | undefined> =>
    (await read('people')).find(({ externalId }) => externalId === id);

  it('writes each person, organization, satellite and event once, for its owner alone', async () => {
    const report = (await app.command('export', '--all', '--folder', folder)) as Record<string, number>;
    const [{ events } = { events: 0 }] = await app.sql<{ events: number }>(
      'SELECT count(*)::int AS events FROM audit_events',
    );
    expect(report).toEqual({ people: 6, organizations: 1, satellites: 1, events });
    for (const name of Object.keys(report)) expect(await read(name)).toHaveLength(report[name] ?? NaN);
    expect((await read('organizations'))[0]).toMatchObject({ incomplete: [] });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it('has a hash that a program of another system can compare with a password', async () => {
    const line = await lineOf(ada.id);
    expect(line).toMatchObject({
      email: ada.email,
      emailVerified: true,
      memberships: [
        { tenantId: organization.id, status: 'active', roles: ['owner'], until: null, roleEnds: [] },
      ],
    });
    const [, id, hash = ''] = /^v1\$(\w+)\$(.*)$/.exec(String(line?.['passwordHash'])) ?? [];
    const key = (await read('password-keys')).find((one) => one['id'] === id)?.['key'];
    const input = (password: string): string =>
      createHmac('sha256', Buffer.from(String(key), 'base64'))
        .update(password.normalize('NFC'))
        .digest('base64');
    expect(await bcrypt.compare(input(ada.password), hash)).toBe(true);
    expect(await bcrypt.compare(input(`${ada.password}x`), hash)).toBe(false);
  });

  it('has the ends of memberships, and of roles', async () => {
    const [membership] = ((await lineOf(placed))?.['memberships'] ?? []) as Line[];
    const [end] = (membership?.['roleEnds'] ?? []) as { key: string; until: string }[];
    expect(membership).toMatchObject({ roles: ['member'], until: LATER });
    expect([end?.key, new Date(end?.until ?? '').toISOString()]).toEqual(['member', SOON]);
  });

  it('has imported hashes as they came, and of weak ones the wrap', async () => {
    const hashOf = async (n: number) =>
      (await read('people')).find(({ email }) => email === `imported-${n}@example.com`)?.['passwordHash'];
    expect(await hashOf(0)).toMatch(/^\$phpasswp\+scrypt\$ln=10,r=8\$6abcdefgh\$[A-Za-z0-9+/]{43}=$/);
    expect(await hashOf(1)).toBe(IMPORTED[1]);
  });

  it('has second factors and identities', async () => {
    expect((await lineOf(ada.id))?.['totpSecret']).toBe(totp.secret);
    const people = await read('people');
    const passkeys = people.flatMap((line) => (line['passkeys'] ?? []) as Line[]);
    const [stored] = await app.sql<{ key: Buffer; id: Buffer; handle: Buffer }>(
      'SELECT p.public_key AS key, p.credential_id AS id, u.handle FROM passkeys p JOIN passkey_users u USING (account_id) WHERE p.assured_by IS NULL',
    );
    expect(passkey.id).not.toBe('');
    expect(passkeys).toMatchObject([
      {
        rpId: 'gatehouse.test',
        credentialId: stored?.id.toString('base64url'),
        userHandle: stored?.handle.toString('base64url'),
        publicKey: stored?.key.toString('base64url'),
        signCount: 0,
        backedUp: false,
      },
    ]);
    expect(people.flatMap((line) => line['identities'] ?? [])).toEqual([
      {
        kind: 'google_oauth',
        connectionId: 'env:google_oauth',
        issuer: 'https://accounts.google.com',
        subject: '1084',
      },
    ]);
  });

  it('has no factor that counts in one organization only: an import would make it the person’s own', async () => {
    const line = await lineOf(placed);
    expect([line?.['totpSecret'], line?.['passkeys']]).toEqual([undefined, undefined]);
  });

  it('has no erased person, and no token of a session', async () => {
    expect(await lineOf(erased.id)).toBeUndefined();
    const all = (
      await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
    ).join();
    expect(all).not.toContain(erased.email);
    expect(all).not.toContain(ada.refreshToken);
  });

  it('never writes into a folder that exists, and not without saying that it is all', async () => {
    await expect(app.command('export', '--all', '--folder', folder)).rejects.toThrow(/exists/);
    await expect(app.command('export', '--folder', `${folder}-2`)).rejects.toThrow();
  });
});
