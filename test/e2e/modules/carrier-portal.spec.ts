/** @service separate */
import { Module } from '@nestjs/common';
import { CarrierPortalModule } from '../../../examples/carrier-portal/carrier-portal.module.js';
import { ExternalProvider } from '../../../src/external-identity/index.js';
import { CarrierPortalStandIn } from '../../support/external-portal.js';
import { Trip } from '../../support/external-trip.js';
import { itRefusesForeignCallbacks, itSurvivesTroubleAt } from '../../support/external-vectors.js';
import { Person } from '../../support/organization.js';
import { itemsOf, TestApp } from '../../support/test-app.js';

const OTHER = { EXTERNAL_FACEBOOK_CLIENT_ID: '1', EXTERNAL_FACEBOOK_CLIENT_SECRET: 'secret' };

/** docs/extending-provider.md: another team's module adds external sign-in by passport. */
describe('The carrier portal', () => {
  let lab: CarrierPortalStandIn;
  let app: TestApp;
  let trip: Trip;
  beforeAll(async () => {
    lab = await new CarrierPortalStandIn().listen();
    const { url, clientId, clientSecret } = lab;
    app = await TestApp.start(OTHER, false, [CarrierPortalModule.for({ url, clientId, clientSecret })]);
    trip = new Trip(app, lab, 'carrier_portal');
  });
  afterAll(async () => {
    await app.stop();
    await lab.close();
  });
  beforeEach(() => {
    lab.replies = {};
    lab.person = { id: 'driver-7', firstName: 'Ada' };
  });

  it('signs a driver in, and knows them again', async () => {
    const first = await trip.me(await trip.signIn());
    expect(first).toMatchObject({ firstName: 'Ada', email: null });
    await trip.expectOnlySession(async () => {
      expect((await trip.me(await trip.signIn()))['id']).toBe(first['id']);
    });
  });

  it('is asked with state and PKCE', async () => {
    const { origin, pathname, searchParams } = await trip.start();
    expect(origin + pathname).toBe(`${lab.url}/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'gatehouse',
      redirect_uri: 'http://gatehouse.test/api/iam/auth/external/carrier_portal/callback',
      response_type: 'code',
      state: expect.any(String),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('can be linked, is listed, and is called by its name in the mail', async () => {
    const owner = await Person.signUp(app);
    lab.person = { id: 'driver-8' };
    const { body } = await trip.visitor.link(owner.token);
    const back = lab.consent(String(body['authorizationUrl']));
    const linked = await trip.visitor.redeem(owner.token, await trip.send(Object.entries(back)));
    expect(linked).toMatchObject({ status: 201, body: { kind: 'carrier_portal' } });
    expect(itemsOf(await app.get('/api/v1/iam/me/identities', owner.token))).toMatchObject([
      { kind: 'carrier_portal', issuer: lab.url },
    ]);
    expect((await app.mails(owner.email, 2)).at(-1)).toContain('with the carrier portal');
  });

  it('is in the documentation, beside the kinds of the specification', async () => {
    const { body } = await app.get('/api/docs/openapi.json');
    const { components } = body as unknown as { components: { schemas: Record<string, unknown> } };
    const kinds = ['google_oauth', 'facebook_oauth', 'apple_oauth', 'oidc', 'saml', 'carrier_portal'];
    expect(components.schemas['ExternalKind']).toMatchObject({ enum: kinds });
    const unknown = await trip.visitor.start({}, 'freight_exchange');
    expect(JSON.stringify(unknown.body['violations'])).toContain('carrier_portal');
  });

  itSurvivesTroubleAt('/token', () => trip);
  itSurvivesTroubleAt('/me', () => trip);
  itRefusesForeignCallbacks(() => trip, 'facebook_oauth');
});

describe('A way to sign in', () => {
  const moduleOf = (kind: string) => {
    @ExternalProvider(kind, 'a provider')
    class Provider {}
    @Module({ providers: [Provider] })
    class ProviderModule {}
    return ProviderModule;
  };

  it.each([
    ['oidc', /The kind oidc has two providers/],
    ['Carrier Portal', /The kind Carrier Portal must consist of lower-case letters/],
  ])('stops the start when it is called %s', async (kind, fault) => {
    await expect(TestApp.with(moduleOf(kind))).rejects.toThrow(fault);
  });
});
