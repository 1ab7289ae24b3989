// Runs oidc-provider with its models in PostgreSQL, by an adapter as its documentation describes;
// without DATABASE_URL in memory, where they end with the process. `/seed` creates tokens and codes
// by its own models, as if people had signed in.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import pg from 'pg';

const { PORT, DATABASE_URL, CLIENT_SECRET, REDIRECT_URI, CODE_CHALLENGE } = process.env;
/** Ids of clients by the algorithm of their ID tokens. */
const CLIENTS = JSON.parse(process.env.CLIENTS);
const SCOPE = 'openid profile email offline_access';
/** Resource whose access tokens are signed, as those of Gatehouse are; the others are opaque. */
const RESOURCE = 'https://api.bench.example';
const base = `http://127.0.0.1:${PORT}`;
const pool = DATABASE_URL ? new pg.Pool({ connectionString: DATABASE_URL, max: 10 }) : null;
await pool?.query(`
  CREATE TABLE models (
    model text NOT NULL, id text NOT NULL, payload jsonb NOT NULL, grant_id text, expires_at timestamptz,
    consumed_at timestamptz, PRIMARY KEY (model, id)
  );
  CREATE INDEX ON models (grant_id);
`);

const one = async (name, text, values) => (await pool.query({ name, text, values })).rows[0];

class DurableAdapter {
  constructor(model) {
    this.model = model;
  }

  async upsert(id, payload, seconds) {
    await one(
      'upsert',
      `INSERT INTO models (model, id, payload, grant_id, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
       ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
      [this.model, id, payload, payload.grantId ?? null, seconds ?? null],
    );
  }

  async find(id) {
    const row = await one(
      'find',
      `SELECT payload, extract(epoch FROM consumed_at)::int AS consumed FROM models
       WHERE model = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > now())`,
      [this.model, id],
    );
    return row && { ...row.payload, ...(row.consumed && { consumed: row.consumed }) };
  }

  async consume(id) {
    await one('consume', 'UPDATE models SET consumed_at = now() WHERE model = $1 AND id = $2', [
      this.model,
      id,
    ]);
  }

  async destroy(id) {
    await one('destroy', 'DELETE FROM models WHERE model = $1 AND id = $2', [this.model, id]);
  }

  async revokeByGrantId(grantId) {
    await one('revoke', 'DELETE FROM models WHERE model = $1 AND grant_id = $2', [this.model, grantId]);
  }
}

/** As the adapter of the library, which keeps a thousand models alone, and so loses tokens. */
class MemoryAdapter {
  #models = new Map();

  async upsert(id, payload) {
    this.#models.set(id, payload);
  }

  async find(id) {
    return this.#models.get(id);
  }

  async consume(id) {
    this.#models.get(id).consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id) {
    this.#models.delete(id);
  }

  async revokeByGrantId(grantId) {
    for (const [id, payload] of this.#models) if (payload.grantId === grantId) this.#models.delete(id);
  }
}

// As strong as the keys of Gatehouse.
const keys = [];
for (const alg of Object.keys(CLIENTS)) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 3_072 });
  keys.push({ ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `bench-${alg}` });
}
const provider = new Provider(base, {
  adapter: DATABASE_URL ? DurableAdapter : MemoryAdapter,
  clients: Object.entries(CLIENTS).map(([alg, id]) => ({
    client_id: id,
    client_secret: CLIENT_SECRET,
    token_endpoint_auth_method: 'client_secret_basic',
    redirect_uris: [REDIRECT_URI],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    id_token_signed_response_alg: alg,
  })),
  jwks: { keys },
  pkce: { required: () => true },
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'locale'] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => false,
      getResourceServerInfo: () => ({
        scope: '',
        audience: RESOURCE,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  ttl: { AccessToken: 86_400, RefreshToken: 86_400, AuthorizationCode: 86_400, Grant: 86_400 },
  // Confidential clients keep their refresh token, as in Gatehouse.
  rotateRefreshToken: false,
  routes: { token: '/oauth2/token', introspection: '/oauth2/introspect', userinfo: '/oauth2/userinfo' },
  cookies: { keys: ['bench'] },
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      name: 'Ada',
      locale: 'en',
      email: `${accountId}@bench.example`,
      email_verified: true,
    }),
  }),
});

/** Creates a token or code of a person, with a grant of its own. */
async function seed(kind, person, clientId) {
  const accountId = `person-${person}`;
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(SCOPE);
  const token = new provider[kind]({
    accountId,
    client: await provider.Client.find(clientId),
    grantId: await grant.save(),
    scope: SCOPE,
    gty: 'authorization_code',
    authTime: Math.floor(Date.now() / 1_000),
    ...(kind === 'AuthorizationCode' && {
      redirectUri: REDIRECT_URI,
      codeChallenge: CODE_CHALLENGE,
      codeChallengeMethod: 'S256',
    }),
    ...(kind === 'AccessToken' && { extra: {}, claims: {} }),
  });
  return token.save();
}

const answer = provider.callback();
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, base);
  if (pathname !== '/seed') return answer(request, response);
  const people = Array.from({ length: Number(searchParams.get('count')) }, (_, person) => person);
  const { kind, client } = Object.fromEntries(searchParams);
  return Promise.all(people.map((person) => seed(kind, person, client))).then(
    (made) => response.end(JSON.stringify(made)),
    (error) => response.writeHead(500).end(String(error.stack)),
  );
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
