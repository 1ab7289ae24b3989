import { ulid } from 'ulid';
import { IdentityRepository } from '../../../src/external-identity/linking/identity.repository.js';
import type { UserId } from '../../../src/kernel/index.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { age } from '../../support/ageing.js';
import { ExternalVisitor } from '../../support/external.js';
import { withApp } from '../../support/test-app.js';

const INSERT = 'INSERT INTO external_identities (id, account_id, kind, issuer, subject, connection_id)';

describe('Key of an external identity', () => {
  const lab = new SamlStandIn();
  let accountId: string;
  const app = withApp(lab.settings);
  beforeAll(async () => {
    const { accessToken } = await app.login(await app.register());
    accountId = String((await app.get('/api/v1/iam/me', accessToken)).body['id']);
  });

  const signIn = async (nameId: string): Promise<string> => {
    const visitor = new ExternalVisitor(app, 'saml');
    const { body } = await visitor.start();
    const { fragment } = await visitor.post(lab.answer(String(body['authorizationUrl']), nameId));
    return String((await app.get('/api/v1/iam/me', fragment['access_token'])).body['id']);
  };
  const connectionsOf = async (subject: string): Promise<unknown[]> => {
    const rows = await app.sql<{ connection_id: string }>(
      'SELECT connection_id FROM external_identities WHERE subject = $1 ORDER BY 1',
      [subject],
    );
    return rows.map(({ connection_id: id }) => id);
  };

  it('tells the same subject of the same issuer apart by connection', async () => {
    await app.sql(`${INSERT} VALUES ($1, $2, 'saml', $3, 'shared', $1)`, [ulid(), accountId, lab.issuer]);
    expect(await signIn('shared')).not.toBe(accountId);
    expect(await connectionsOf('shared')).toContain('env:saml');
    expect(await connectionsOf('shared')).toHaveLength(2);
  });

  it('notes a sign-in at the identity of its issuer only', async () => {
    const signedIn = await signIn('moved');
    await app.sql(`${INSERT} VALUES ($1, $2, 'saml', 'https://former.example', 'moved', 'env:saml')`, [
      ulid(),
      signedIn,
    ]);
    await age(app, 'external_identities', 3_600);
    expect(await signIn('moved')).toBe(signedIn);
    const used = await app.sql(
      "SELECT issuer FROM external_identities WHERE subject = 'moved' AND last_used_at > now() - interval '1 minute'",
    );
    expect(used).toEqual([{ issuer: lab.issuer }]);
  });

  it('removes an identity of the account that it is asked for only', async () => {
    const identities = app.app.get(IdentityRepository, { strict: false });
    const owner = (await signIn('own')) as UserId;
    const [row] = await app.sql<{ id: string }>("SELECT id FROM external_identities WHERE subject = 'own'");
    const id = row!.id;
    expect(await identities.delete(accountId as UserId, id)).toBeNull();
    expect(await connectionsOf('own')).toEqual(['env:saml']);
    expect(await identities.delete(owner, id)).toMatchObject({ kind: 'saml' });
  });
});
