import { decodeJwt } from 'jose';
import { DpopNonces, TokenSigner } from '../../../src/session/index.js';
import { Organization } from '../../support/organization.js';
import { ProofKey } from '../../support/proof-key.js';
import { ScimDirectory } from '../../support/scim-directory.js';
import { withApp } from '../../support/test-app.js';

/** Entra ID and Okta can call SCIM by client credentials in place of a token that never changes. */
describe('A directory as an OAuth client', () => {
  let acme: Organization;
  let directory: ScimDirectory;
  const app = withApp();
  beforeAll(async () => {
    acme = await Organization.found(app);
    directory = await ScimDirectory.create(acme);
  });

  const request = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...form });
    const response = await fetch(`${app.url}/oauth2/token`, { method: 'POST', body, headers });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const basic = (id: string, secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const tokenOf = async ({ id, token }: ScimDirectory): Promise<string> => {
    const { body } = await request({}, basic(id, token));
    return body['access_token'] ?? '';
  };
  const users = async (id: string, token: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`${app.url}/api/scim/v2/${id}/Users`, { headers })).status;
  };

  it('gets a token by its id and secret, in the header or in the form', async () => {
    const issued = { token_type: 'Bearer', expires_in: 3_600, scope: 'scim' };
    const form = { client_id: directory.id, client_secret: directory.token };
    for (const answer of [
      await request(form),
      await request({}, basic(directory.id, directory.token)),
      await request({ scope: 'scim' }, basic(directory.id, directory.token)),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: issued });
      expect(await users(directory.id, answer.body['access_token'] ?? '')).toBe(200);
    }
  });

  it('is refused with a wrong id or secret, two methods, or another scope', async () => {
    const other = await ScimDirectory.create(acme);
    const flipped = `${directory.token.slice(0, -1)}${directory.token.endsWith('a') ? 'b' : 'a'}`;
    for (const [id, secret] of [
      [other.id, directory.token],
      [directory.id, other.token],
      [directory.id, flipped],
      ['x', directory.token],
    ] as const) {
      expect(await request({}, basic(id, secret))).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
      expect((await request({ client_id: id, client_secret: secret })).status).toBe(401);
    }
    expect((await request({ client_id: directory.id })).status).toBe(401);
    const proven = basic(directory.id, directory.token);
    expect((await request({ client_id: other.id }, proven)).status).toBe(401);
    expect(await request({ client_id: directory.id, client_secret: directory.token }, proven)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect(await request({ scope: 'iam:member:read' }, proven)).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
  });

  it('is refused with a proof of a key, to which its token would not be bound', async () => {
    const key = await ProofKey.create();
    const nonce = app.app.get(DpopNonces, { strict: false }).current();
    const dpop = await key.prove({ htm: 'POST', htu: 'http://gatehouse.test/oauth2/token', nonce });
    expect(await request({}, { ...basic(directory.id, directory.token), dpop })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringContaining('Send no DPoP proof') },
    });
  });

  it('has a token for its own path of SCIM alone', async () => {
    const other = await ScimDirectory.create(acme);
    const token = await tokenOf(directory);
    expect(await users(other.id, token)).toBe(404);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${app.url}/api/v1/iam/me`, { headers })).status).toBe(401);
    expect(await users(directory.id, acme.owner.token)).toBe(401);
  });

  it('has no token whose claims, algorithm or signature were changed', async () => {
    const [header = '', claims = '', signature = ''] = (await tokenOf(directory)).split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const later = { ...decodeJwt(`${header}.${claims}.${signature}`), exp: 9_999_999_999 };
    for (const bad of [
      `${header}.${encode(later)}.${signature}`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${claims}.`,
      `${header}.${claims}.${'A'.repeat(86)}`,
      `${header}.${claims}`,
      'x',
    ])
      expect(await users(directory.id, bad)).toBe(401);
  });

  it('has no token that we signed for another audience, or without an end', async () => {
    const { cid } = decodeJwt(await tokenOf(directory));
    const signer = app.app.get(TokenSigner);
    const audience = 'http://gatehouse.test/api/scim/v2';
    const sign = (frame: object) =>
      signer.sign({ cid }, { audience, subject: directory.id, seconds: 60, ...frame });
    expect(await users(directory.id, sign({}))).toBe(200);
    expect(await users(directory.id, sign({ audience: 'http://gatehouse.test' }))).toBe(401);
    expect(await users(directory.id, sign({ seconds: -60 }))).toBe(401);
  });

  it('loses it with its secret, when it is disabled, and after an hour', async () => {
    const ended = await ScimDirectory.create(acme);
    const token = await tokenOf(ended);
    const path = `/directories/${ended.id}`;
    await acme.call('PATCH', path, { status: 'disabled' });
    expect(await users(ended.id, token)).toBe(401);
    await acme.call('PATCH', path, { status: 'active' });
    expect(await users(ended.id, token)).toBe(200);
    const { exp = 0, iat = 0 } = decodeJwt(token);
    expect(exp - iat).toBe(3_600);
    const now = jest.spyOn(Date, 'now').mockReturnValue((exp + 1) * 1_000);
    try {
      expect(await users(ended.id, token)).toBe(401);
    } finally {
      now.mockRestore();
    }
    const [{ id } = { id: '' }] = await app.sql<{ id: string }>(
      'SELECT id FROM directory_tokens WHERE directory_id = $1',
      [ended.id],
    );
    expect((await acme.call('DELETE', `${path}/tokens/${id}`)).status).toBe(204);
    expect(await users(ended.id, token)).toBe(401);
  });
});
