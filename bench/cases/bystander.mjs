import { SamlStandIn } from '../../test/lab/saml-stand-in.ts';
import { Directory } from '../support/directory.mjs';
import { send } from '../support/load.mjs';
import { populate, tenantOf } from '../support/people.mjs';

const PEOPLE = 1_000;
/** Owner of the organization that multiplies lists. */
const OWNER = 0;
/** Paced reads of other callers. */
const READS = { connections: 4, paceMs: 20 };
const SAML = '/api/iam/auth/external/saml';
const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/**
 * Measures reads of others while one caller multiplies the largest lists that an organization may
 * have, against reads without it. A product without a budget holds up the event loop for seconds.
 */
export default async function bystander(bench) {
  const service = await bench.service({ RATE_SCIM: '1000000000', LIMIT_RECORD_BYTES: '1048576' });
  await populate(service.query, { people: PEOPLE });
  const tokens = await bench.tokensOf(service);
  const reads = await bench.load(
    Array.from({ length: 100 }, (_, n) => ({ path: '/api/v1/iam/me', token: tokens.access(500 + n) })),
  );
  const how = { ...READS, seconds: bench.seconds };
  await bench.warm(() => reads.put(service, { connections: READS.connections, seconds: bench.seconds }));
  const rows = [];
  for (const [name, prepare] of Object.entries(PRODUCTS)) {
    const multiply = await prepare(service, tokens);
    await multiply();
    const { p99 } = await bench.paired(
      async () => {
        const stop = repeating(multiply);
        try {
          return await reads.put(service, how);
        } finally {
          await stop();
        }
      },
      () => reads.put(service, how),
    );
    const row = { name: `read next to ${name}, p99`, against: 'none', unit: 'ms' };
    rows.push({ ...row, goal: { atMost: 100 }, ...p99 });
  }
  return rows;
}

/** Products of two lists of a customer. Each prepares them, and returns the request. */
const PRODUCTS = {
  'rules × groups of a sign-in': signIns,
  'operations × attributes of a PATCH': async (service, tokens) => {
    const directory = await Directory.create(service, tokens, 1);
    const attributes = objectOf(5_000, (n) => [`key${n}`, 1]);
    const { id } = await post(service, directory.request('POST', '/Users', { userName: 'a', ...attributes }));
    const value = objectOf(20_000, (n) => [`urn:a${n}:1.0:A`, null]);
    const operations = { schemas: [PATCH], Operations: [{ op: 'replace', value }] };
    return () => refused(service, directory.request('PATCH', `/Users/${id}`, operations));
  },
  'filters × elements of a PATCH': async (service, tokens) => {
    const directory = await Directory.create(service, tokens, 2);
    const emails = Array.from({ length: 20_000 }, (_, n) => ({ value: `v${n}` }));
    const { id } = await post(service, directory.request('POST', '/Users', { userName: 'b', emails }));
    const filter = Array.from({ length: 20 }, (_, n) => `value co "x${n}"`).join(' or ');
    const Operations = Array.from({ length: 200 }, () => ({ op: 'remove', path: `emails[${filter}]` }));
    return () =>
      refused(service, directory.request('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations }));
  },
  'attributes × resources of a search': async (service, tokens) => {
    const directory = await Directory.create(service, tokens, 3);
    for (let n = 0; n < 100; n += 1) await directory.add();
    const attributes = Array.from({ length: 50_000 }, (_, n) => `a${n % 10}.b${n}`);
    return () => send(service, directory.request('POST', '/Users/.search', { attributes, count: 100 }));
  },
  'conditions × claims of a workload': workloads,
  'things × what they are parts of': async (service, tokens) => {
    const uri = (n) => `gatehouse:///freight/orders/01BENCHW${String(n).padStart(18, '0')}`;
    const things = Array.from({ length: 1_000 }, (_, n) => ({
      thing: uri(n),
      parents: Array.from({ length: 8 }, (_, parent) => uri(2_000 + ((n + parent) % 100))),
    }));
    const path = `/api/v1/iam/tenants/${tenantOf(OWNER)}/things/bulk`;
    const token = tokens.access(OWNER, { inTenant: true });
    return () => send(service, { method: 'POST', path, token, body: { things } });
  },
  'questions × roles of a batch': async (service, tokens) => {
    const evaluations = Array.from({ length: 50 }, (_, n) => ({
      action: { name: 'iam:member:read' },
      resource: { type: 'iam/tenants', id: tenantOf(10 * n) },
    }));
    const token = tokens.access(OWNER, { inTenant: true });
    const subject = { type: 'user', id: `01BENCHA${'0'.repeat(18)}` };
    return () =>
      send(service, {
        method: 'POST',
        path: '/access/v1/evaluations',
        token,
        body: { subject, evaluations },
      });
  },
};

/** Sign-ins by a provider that names as many groups as it may, in an organization of many rules. */
async function signIns(service, tokens) {
  const provider = new SamlStandIn();
  const { issuer, entryPoint, key } = provider;
  const token = tokens.access(OWNER, { inTenant: true });
  const path = `/api/v1/iam/tenants/${tenantOf(OWNER)}/connections`;
  const settings = { entityId: issuer, ssoUrl: entryPoint, certificates: [key.certificate] };
  const provisioning = { justInTime: true };
  const body = { kind: 'saml', name: 'Provider', domainIds: [], provisioning, settings };
  const { id } = await post(service, { method: 'POST', path, token, body });
  await service.query("UPDATE connections SET status = 'active'");
  const groups = Array.from({ length: 400 }, (_, n) => `${'ab'.repeat(235)}${n}`);
  const items = Array.from({ length: 10 }, (_, n) => ({
    attribute: 'groups',
    operator: 'matches',
    value: `${'*b'.repeat(7)}*c${n}`,
    roles: [],
  }));
  await send(service, { method: 'PUT', path: `${path}/${id}/rules`, token, body: { items } });
  return async () => {
    const started = await post(service, {
      method: 'POST',
      path: `${SAML}/start`,
      body: { codeChallenge: CODE_CHALLENGE, connectionId: id },
    });
    const attributes = { groups: groups.join('</saml:AttributeValue><saml:AttributeValue>') };
    const words = { attributes };
    const form = provider.answer(started.authorizationUrl, 'ada@sso.example', { words });
    await answered(service, { path: `${SAML}/callback/${id}`, body: new URLSearchParams(form) }, [303]);
  };
}

/** Tokens of a workload with long claims, for an account with many rules. Nothing is proven yet. */
async function workloads(service, tokens) {
  const token = tokens.access(OWNER, { inTenant: true });
  const path = `/api/v1/iam/tenants/${tenantOf(OWNER)}/service-accounts`;
  const account = { name: 'CI', roles: ['admin'] };
  const { id } = await post(service, { method: 'POST', path, token, body: account });
  const rule = { issuer: 'https://ci.example', audience: 'gatehouse', conditions: { sub: '**abc**c**d' } };
  for (let n = 0; n < 20; n += 1)
    await send(service, { method: 'POST', path: `${path}/${id}/trust-rules`, token, body: rule });
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { iss: rule.issuer, aud: rule.audience, sub: 'abc'.repeat(3_600), exp: 4e9, iat: 1 };
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: `${encode({ alg: 'ES256' })}.${encode(claims)}.c2ln`,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    client_id: id,
  };
  return () => answered(service, { path: '/oauth2/token', body: new URLSearchParams(form) }, [400]);
}

const post = async (service, request) => JSON.parse(await send(service, request));
const objectOf = (length, entry) => Object.fromEntries(Array.from({ length }, (_, n) => entry(n)));

/** Sends a request of a directory that is refused: it costs more than one may. */
const refused = (service, { path, method, token, body }) =>
  answered(
    service,
    {
      path,
      method,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    },
    [400],
  );

/** @throws for another status */
async function answered({ base }, { path, method = 'POST', ...how }, statuses) {
  const response = await fetch(base + path, { method, redirect: 'manual', ...how });
  const text = await response.text();
  if (!statuses.includes(response.status)) throw new Error(`${path} answered ${response.status}: ${text}`);
}

/** Sends a request again and again, one at a time, until stopped. */
function repeating(request) {
  let goes = true;
  const over = (async () => {
    while (goes) await request();
  })();
  over.catch(() => undefined); // told by stop
  return () => {
    goes = false;
    return over;
  };
}
