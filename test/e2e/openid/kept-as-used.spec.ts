import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { Ceremonies } from '../../../src/authenticator/passkeys/ceremonies.js';
import { CEREMONY_LIFETIME_SECONDS } from '../../../src/authenticator/passkeys/spent-ceremony.repository.js';
import { ClientAssertions } from '../../../src/machine/clients/client-assertions.js';
import { Federation } from '../../../src/machine/trust/federation.js';
import { DpopProofs } from '../../../src/session/index.js';
import { Organization } from '../../support/organization.js';
import { ProofKey } from '../../support/proof-key.js';
import { withApp } from '../../support/test-app.js';
import { WorkloadIssuer } from '../../support/workload-issuer.js';

const ISSUER = 'http://gatehouse.test';
const SUBJECT = 'repo:octo/app:ref:refs/heads/main';
const DAY = 86_400;

/** Whether a proof that was issued at this age, in seconds, is accepted; negative in the future. */
type Present = (age: number) => Promise<boolean>;

describe('What is accepted once', () => {
  let organization: Organization;
  let issuer: WorkloadIssuer;
  let key: ProofKey;
  let accountId: string;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = pair.publicKey.export({ format: 'jwk' });
  const app = withApp({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  beforeAll(async () => {
    organization = await Organization.found(app);
    issuer = await WorkloadIssuer.start();
    key = await ProofKey.create();
    const account = { name: 'CI', roles: ['admin'] };
    accountId = String((await organization.call('POST', '/service-accounts', account)).body['id']);
    const rule = { issuer: issuer.url, audience: 'gatehouse', conditions: { sub: SUBJECT } };
    await organization.call('POST', `/service-accounts/${accountId}/trust-rules`, rule);
  });
  afterAll(() => issuer.stop());

  const service = <T>(type: abstract new (...given: never[]) => T): T => app.app.get(type, { strict: false });
  const now = () => Math.floor(Date.now() / 1_000);

  const KINDS: Readonly<Record<string, Present>> = {
    'a proof of a key (DPoP)': async (age) => {
      const request = { method: 'POST', url: `${ISSUER}/oauth2/token`, needsNonce: false };
      const proof = await key.prove({ htm: request.method, htu: request.url, iat: now() - age });
      return 'jkt' in (await service(DpopProofs).verify([proof], request));
    },
    'an assertion of a client': async (age) => {
      const assertion = await new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer('client')
        .setSubject('client')
        .setAudience(ISSUER)
        .setIssuedAt(now() - age)
        .setExpirationTime(now() - age + 300)
        .sign(pair.privateKey);
      const read = await service(ClientAssertions).read(assertion);
      return read !== null && service(ClientAssertions).accept(read, { keys: [jwk], jwksUri: null });
    },
    'a token of a workload': async (age) => {
      const token = issuer.token(SUBJECT, now() - age, 3_600);
      const found = await service(Federation).find(token, accountId);
      return found !== null && typeof found === 'object';
    },
  };

  /** Finds the greatest age in a direction at which a proof is accepted; all younger ones are. */
  const reachOf = async (present: Present, sign: 1 | -1): Promise<number> => {
    let [accepted, refused] = [0, DAY];
    while (refused - accepted > 1) {
      const middle = Math.floor((accepted + refused) / 2);
      if (await present(sign * middle)) accepted = middle;
      else refused = middle;
    }
    return accepted;
  };

  it.each(Object.entries(KINDS))('%s is kept as used for as long as it is accepted', async (_, present) => {
    const [past, future] = [await reachOf(present, 1), await reachOf(present, -1)];
    await app.sql('DELETE FROM used_assertions');
    // Of the latest time that is accepted: it is accepted for the longest from now on.
    expect(await present(-future)).toBe(true);
    const [row] = await app.sql<{ kept: number }>(
      'SELECT min(extract(epoch FROM expires_at - now()))::float AS kept FROM used_assertions',
    );
    expect(past).toBeGreaterThan(30);
    expect(row?.kept).toBeGreaterThanOrEqual(past + future);
  });

  it('a ceremony of a passkey is kept as spent for as long as it is accepted', async () => {
    const use = { purpose: 'sign-in', binding: '' } as const;
    const { ceremony } = service(Ceremonies).begin(use);
    await service(Ceremonies).spend(service(Ceremonies).open(ceremony, use));
    const [row] = await app.sql<{ kept: number }>(
      'SELECT extract(epoch FROM expires_at - now())::float AS kept FROM spent_ceremonies',
    );
    expect(row?.kept).toBeGreaterThanOrEqual(CEREMONY_LIFETIME_SECONDS);
  });
});
