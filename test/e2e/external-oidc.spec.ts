import { OidcStandIn } from '../lab/oidc-stand-in.js';
import { ExternalVisitor } from '../support/external.js';
import { TestApp } from '../support/test-app.js';

describe('Sign-in by OpenID Connect', () => {
  let lab: OidcStandIn;
  let app: TestApp;
  let visitor: ExternalVisitor;
  beforeAll(async () => {
    lab = await OidcStandIn.start();
    app = await TestApp.start({ ...lab.settings, EXTERNAL_OIDC_DOMAINS: 'example.com' });
    visitor = new ExternalVisitor(app, 'oidc');
  });
  afterAll(async () => {
    await app.stop();
    await lab.close();
  });

  it('signs a newcomer in, with tokens in the fragment', async () => {
    const started = await visitor.start();
    expect(started.status).toBe(200);
    const landing = await visitor.open(lab.visit(String(started.body['authorizationUrl'])));
    expect(landing).toMatchObject({
      status: 303,
      returnUri: 'http://gatehouse.test',
      fragment: { token_type: 'Bearer', expires_in: '600', state: started.body['state'] },
    });
    const me = await app.get('/api/v1/iam/me', landing.fragment['access_token']);
    expect(me.body).toMatchObject({ email: 'ada@example.com', emailVerified: true });
  });
});
