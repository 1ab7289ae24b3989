import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { ExternalVisitor } from '../../support/external.js';
import { TestApp } from '../../support/test-app.js';

const INSERT = 'INSERT INTO external_identities (id, account_id, kind, issuer, subject, connection_id)';

describe('Key of an external identity', () => {
  const lab = new SamlStandIn();
  let app: TestApp;
  let accountId: string;
  beforeAll(async () => {
    app = await TestApp.start(lab.settings);
    const { accessToken } = await app.login(await app.register());
    accountId = String((await app.get('/api/v1/iam/me', accessToken)).body['id']);
  });
  afterAll(() => app.stop());

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
});
