import { ulid } from 'ulid';
import { AES_128_GCM, AES_256_CBC, encrypted, OAEP_11, RSA_15 } from '../../lab/saml-encryption.js';
import { SamlpProvider } from '../../lab/samlp-provider.js';
import { LabKey, SamlStandIn, type Twist } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { signInTraces } from '../../support/external.js';
import { Organization } from '../../support/organization.js';
import { withApp } from '../../support/test-app.js';

const SHA_256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const SHA_512 = 'http://www.w3.org/2001/04/xmlenc#sha512';
const digestOf = (algorithm: string) =>
  `<ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="${algorithm}"/>`;
const mgfOf = (hash: string) =>
  `<xenc11:MGF xmlns:xenc11="http://www.w3.org/2009/xmlenc11#" Algorithm="http://www.w3.org/2009/xmlenc11#mgf1${hash}"/>`;
/** Default of Keycloak (26): `rsa-oaep-mgf1p`, whose mask has SHA-1 whatever the digest. */
const KEYCLOAK = { oaep: { digest: 'sha256', mgf: 'sha1', method: digestOf(SHA_256) } };

describe('A connection that wants encrypted assertions', () => {
  const lab = new SamlStandIn();
  const stranger = new LabKey('Stranger');
  let organization: Organization;
  let connection: LabConnection;
  let ours: string;
  const app = withApp({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  beforeAll(async () => {
    organization = await Organization.found(app);
    connection = await create({ wantEncryptedAssertions: true });
    ours = certificateIn(await metadataOf(connection), 'encryption') ?? '';
  });

  const create = async (settings: object) => {
    const { kind, settings: usual } = samlSettings(lab);
    const created = await LabConnection.active(organization, { kind, settings: { ...usual, ...settings } });
    await created.call('PATCH', '', { provisioning: { justInTime: true } });
    return created;
  };
  const metadataOf = async ({ id }: LabConnection) =>
    (await fetch(`${app.url}/api/iam/auth/external/saml/metadata/${id}`)).text();
  const certificateIn = (xml: string, use: string) => {
    const text = new RegExp(`<KeyDescriptor use="${use}">[^]*?<ds:X509Certificate>([^<]*)<`).exec(xml)?.[1];
    return text && `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
  };
  const signIn = async (twist: Twist, at = connection) => {
    const words = { attributes: { email: `${ulid().toLowerCase()}@${at.domain}` } };
    const { fragment } = await at.bring(
      lab.answer(await at.start(), ulid(), { ...twist, words: { ...words, ...twist.words } }),
    );
    return fragment['error'] ?? (fragment['access_token'] ? 'signed in' : 'nothing');
  };

  it('publishes the key, and one that does not want them does not', async () => {
    expect(ours).toContain('CERTIFICATE');
    const other = await create({});
    const xml = await metadataOf(other);
    expect(certificateIn(xml, 'signing')).toContain('CERTIFICATE');
    expect(certificateIn(xml, 'encryption')).toBeUndefined();
    expect((await connection.call('GET')).body['settings']).toMatchObject({ wantEncryptedAssertions: true });
    expect(await signIn({ after: encrypted(ours) }, other)).toBe('invalid_response');
    expect(await signIn({}, other)).toBe('signed in');
  });

  it.each<[string, () => Twist]>([
    ['by AES-256-GCM', () => ({ after: encrypted(ours) })],
    ['by AES-128-GCM', () => ({ after: encrypted(ours, { cipher: AES_128_GCM }) })],
    ['with SHA-256 as Keycloak does, MGF1 with SHA-1', () => ({ after: encrypted(ours, KEYCLOAK) })],
    [
      'with SHA-512 and MGF1 with SHA-1',
      () => ({
        after: encrypted(ours, { oaep: { digest: 'sha512', mgf: 'sha1', method: digestOf(SHA_512) } }),
      }),
    ],
    [
      'by RSA-OAEP of XML Encryption 1.1, with SHA-256 in both places',
      () => ({
        after: encrypted(ours, {
          transport: OAEP_11,
          oaep: { digest: 'sha256', mgf: 'sha256', method: digestOf(SHA_256) + mgfOf('sha256') },
        }),
      }),
    ],
    [
      'by RSA-OAEP of XML Encryption 1.1, with SHA-256 and MGF1 with SHA-512',
      () => ({
        after: encrypted(ours, {
          transport: OAEP_11,
          oaep: { digest: 'sha256', mgf: 'sha512', method: digestOf(SHA_256) + mgfOf('sha512') },
        }),
      }),
    ],
    [
      'by RSA-OAEP of XML Encryption 1.1, with its defaults',
      () => ({ after: encrypted(ours, { transport: OAEP_11 }) }),
    ],
    ['with the key beside the data', () => ({ after: encrypted(ours, { keyBeside: true }) })],
  ])('signs in by an assertion encrypted %s', async (_, twist) => {
    expect(await signIn(twist())).toBe('signed in');
  });

  it('signs in by what samlp encrypts, once it has our metadata', async () => {
    const provider = await SamlpProvider.start();
    const { EXTERNAL_SAML_ENTRY_POINT: ssoUrl, EXTERNAL_SAML_IDP_CERT: certificate } = provider.settings;
    const settings = { entityId: provider.issuer, ssoUrl, certificates: [certificate] };
    const at = await create({ ...settings, wantEncryptedAssertions: true });
    const email = `ada@${at.domain}`;
    provider.person = { ...provider.person, emails: [{ value: email }] };
    provider.register(await metadataOf(at));
    const page = await (await fetch(await at.start())).text();
    expect(page).toContain('SAMLResponse'); // else it says why not
    const valueOf = (name: string) => new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1] ?? '';
    const form = { SAMLResponse: valueOf('SAMLResponse'), RelayState: valueOf('RelayState') };
    expect(Buffer.from(form.SAMLResponse, 'base64').toString()).toContain('EncryptedAssertion');
    const { fragment } = await at.bring(form);
    expect(fragment).toHaveProperty('access_token');
    expect((await app.get('/api/v1/iam/me', fragment['access_token'])).body).toMatchObject({ email });
    await provider.close();
  });

  it('verifies the signature of a response around it', async () => {
    const response = { response: true, assertion: true };
    // Signed first and encrypted afterwards: the signature of the response does not fit any more.
    expect(await signIn({ sign: response, after: encrypted(ours) })).toBe('invalid_response');
  });

  it.each<[string, () => Twist]>([
    ['in the clear', () => ({})],
    [
      'with an assertion in the clear beside it',
      () => ({
        after: (xml) => {
          const [clear = ''] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml) ?? [];
          return encrypted(ours)(xml).replace('</samlp:Response>', `${clear}</samlp:Response>`);
        },
      }),
    ],
    [
      'twice',
      () => ({
        after: (xml) =>
          encrypted(ours)(xml).replace(/<saml:EncryptedAssertion>.*<\/saml:EncryptedAssertion>/s, '$&$&'),
      }),
    ],
    ['for another key', () => ({ after: encrypted(stranger.certificate) })],
    ['by CBC', () => ({ after: encrypted(ours, { cipher: AES_256_CBC }) })],
    [
      'with another digest of RSA-OAEP than it says',
      () => ({ after: encrypted(ours, { oaep: { ...KEYCLOAK.oaep, method: '' } }) }),
    ],
    [
      'with another mask of RSA-OAEP than it says',
      () => ({ after: encrypted(ours, { oaep: { ...KEYCLOAK.oaep, mgf: 'sha256' } }) }),
    ],
    [
      'with a digest of RSA-OAEP that is not known',
      () => ({
        after: encrypted(ours, { oaep: { ...KEYCLOAK.oaep, method: digestOf(`${SHA_256}-other`) } }),
      }),
    ],
    ['with a key wrapped by RSA 1.5', () => ({ after: encrypted(ours, { transport: RSA_15 }) })],
    [
      'and changed',
      () => ({
        after: encrypted(ours, {
          spoil: (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]),
        }),
      }),
    ],
    ['and cut', () => ({ after: encrypted(ours, { spoil: (bytes) => bytes.subarray(0, 20) }) })],
    ['without a signature in it', () => ({ sign: { assertion: false }, after: encrypted(ours) })],
    ['and signed by another key', () => ({ sign: { key: stranger.privateKey }, after: encrypted(ours) })],
    [
      'and changed before it was encrypted',
      () => ({
        after: encrypted(ours, { plain: (xml) => xml.replace('</saml:NameID>', 'x</saml:NameID>') }),
      }),
    ],
    ['of something else', () => ({ after: encrypted(ours, { plain: () => '<a>b</a>' }) })],
    ['of no XML', () => ({ after: encrypted(ours, { plain: () => 'canary' }) })],
    [
      'of an encrypted assertion',
      () => ({
        after: encrypted(ours, { plain: (xml) => encrypted(ours)(xml) }),
      }),
    ],
    [
      'for another audience',
      () => ({ words: { audience: 'https://other.example' }, after: encrypted(ours) }),
    ],
  ])('refuses an assertion %s, and creates nothing', async (_, twist) => {
    const before = await signInTraces(app);
    expect(await signIn(twist())).toBe('invalid_response');
    const after = await signInTraces(app);
    for (const table of ['accounts', 'sessions', 'external_identities'] as const)
      expect(after[table]).toEqual(before[table]);
  });

  it('says in a test sign-in what is wrong', async () => {
    const detailOf = async (twist: Twist) => {
      const { body } = await connection.call('POST', '/tests');
      const answer = lab.answer(String(body['authorizationUrl']), ulid(), twist);
      await connection.bring(answer);
      const test = await connection.call('GET', `/tests/${String(body['testId'])}`);
      const steps = test.body['steps'] as unknown as { verdict: string; detail: string }[];
      return steps.find(({ verdict }) => verdict === 'failed')?.detail;
    };
    expect(await detailOf({})).toContain('not encrypted');
    expect(await detailOf({ after: encrypted(stranger.certificate) })).toContain('cannot be decrypted');
  });
});
