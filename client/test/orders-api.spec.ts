/** @service separate */
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GatehouseModule, ProtectedResource, Public } from '@gatehouse/client/nestjs';
import { Verifier } from '@gatehouse/client/verifier';
import { Organization, Person } from '../../test/support/organization.js';
import { RelyingParty } from '../../test/support/relying-party.js';
import { signUpOperator } from '../../test/support/satellite.js';
import { TestApp } from '../../test/support/test-app.js';
import { ordersApi } from '../examples/orders-api.js';

const ORDERS = 'https://orders.example.com/api';
const METADATA = `resource_metadata="https://orders.example.com/.well-known/oauth-protected-resource/api"`;
const SCOPES = ['orders:read', 'orders:pay'];

@Controller('open')
@Public('but for one')
class OpenController {
  @Get()
  read(): string {
    return 'open';
  }

  @Get('closed')
  @ProtectedResource()
  closed(): string {
    return 'closed';
  }
}

/** examples/orders-api.ts, an API of a third party. */
describe('A NestJS application that is an API', () => {
  let app: TestApp;
  let api: INestApplication;
  let url: string;
  let party: RelyingParty;
  let ada: Person;
  let acme: Organization;
  beforeAll(async () => {
    app = await TestApp.start();
    ada = await Person.signUp(app);
    acme = await Organization.found(app, ada);
    const orders = ordersApi('http://gatehouse.test', acme.id, app.url);
    api = await NestFactory.create(orders, { logger: false });
    api.setGlobalPrefix('v1');
    await api.listen(0, '127.0.0.1');
    url = await api.getUrl();
    const { token } = await signUpOperator(app);
    party = await RelyingParty.register(app);
    const scopes = SCOPES.map((name) => ({ name, title: name }));
    const registered = { identifier: ORDERS, name: 'Orders', scopes };
    const { body } = await app.call('POST', '/api/v1/iam/apis', registered, { token });
    const path = `/api/v1/iam/satellites/${party.clientId}/apis/${String(body['id'])}`;
    expect((await app.call('PUT', path, { scopes: SCOPES }, { token })).status).toBe(200);
  });
  afterAll(async () => {
    await api.close();
    await app.stop();
  });

  const tokenFor = async (scope: string, by = acme.owner.token) =>
    (await party.signIn(by, { resource: ORDERS, scope: `openid ${scope}` })).access_token;
  const ask = async (path: string, token?: string, method = 'GET', base = url) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${base}${path}`, { method, headers });
    await answer.body?.cancel();
    return [answer.status, answer.headers.get('www-authenticate')];
  };

  it('serves its metadata to pages of any origin, past its prefix and its guard', async () => {
    const answer = await fetch(`${url}/.well-known/oauth-protected-resource/api`);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(await answer.json()).toEqual({
      resource: ORDERS,
      authorization_servers: ['http://gatehouse.test'],
      bearer_methods_supported: ['header'],
      scopes_supported: SCOPES,
      resource_name: 'Orders',
    });
  });

  it('leads from each refusal to it, and says what is missing', async () => {
    expect(await ask('/v1/orders')).toEqual([401, `Bearer ${METADATA}`]);
    expect(await ask('/v1/orders', 'x.y.z')).toEqual([401, `Bearer error="invalid_token", ${METADATA}`]);
    const read = await tokenFor('orders:read');
    expect(await ask('/v1/orders', read)).toEqual([200, null]);
    expect(await ask('/v1/orders/payments', read, 'POST')).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="orders:read orders:pay", ${METADATA}`,
    ]);
    expect(await ask('/v1/orders/payments', await tokenFor('orders:read orders:pay'), 'POST')).toEqual([
      401,
      `Bearer error="insufficient_user_authentication", acr_values="aal2", max_age="900", ${METADATA}`,
    ]);
  });

  it('refuses tokens of every other audience', async () => {
    const { access_token: ours } = await party.signIn(ada.token);
    for (const token of [ours, ada.token])
      expect(await ask('/v1/orders', token)).toEqual([401, `Bearer error="invalid_token", ${METADATA}`]);
  });

  it('refuses tokens of another organization, and of none', async () => {
    const globex = await Organization.found(app, ada);
    for (const by of [globex.owner.token, ada.token])
      expect(await ask('/v1/orders', await tokenFor('orders:read', by))).toEqual([
        401,
        `Bearer error="invalid_token", ${METADATA}`,
      ]);
  });

  it('answers 500, and serves nothing, if the module does not name the API', async () => {
    const options = {
      issuer: 'http://gatehouse.test',
      url: app.url,
      audience: ORDERS,
      clients: 'any',
    } as const;
    @Module({ imports: [GatehouseModule.forRoot(options)], controllers: [OpenController] })
    class Unnamed {}
    const unnamed = await NestFactory.create(Unnamed, { logger: false });
    await unnamed.listen(0, '127.0.0.1');
    const base = await unnamed.getUrl();
    const token = await tokenFor('orders:read');
    expect(await ask('/open', undefined, 'GET', base)).toEqual([200, null]);
    expect((await ask('/open/closed', undefined, 'GET', base))[0]).toBe(401);
    expect((await ask('/open/closed', token, 'GET', base))[0]).toBe(500);
    await unnamed.close();
  });

  it.each([undefined, '', null, []])('does not start with the audience or organization %p', (audience) => {
    const options = { issuer: 'http://gatehouse.test', audience } as never;
    expect(() => new Verifier(options)).toThrow(TypeError);
    expect(() => GatehouseModule.forRoot(options)).toThrow(TypeError);
    expect(() => new Verifier({ issuer: audience, audience: ORDERS } as never)).toThrow(TypeError);
    const ofNone = { issuer: 'http://gatehouse.test', audience: ORDERS, tenantId: audience } as never;
    expect(() => new Verifier(ofNone)).toThrow(TypeError);
  });

  it('is an address', () => {
    const options = { issuer: 'http://gatehouse.test', audience: 'orders', resource: {} };
    expect(() => GatehouseModule.forRoot(options)).toThrow(TypeError);
  });
});
