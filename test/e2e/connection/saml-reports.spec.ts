import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import { inSeconds, LabKey, SamlStandIn, type Twist } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { Organization } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const base64Of = ({ certificate }: LabKey) => certificate.replace(/-----[A-Z ]+-----|\s/g, '');

/**
 * What providers by SAML send, after public reports about other services. Each name has the report,
 * as owner/repository#number on GitHub; docs/interop has the links.
 */
describe('A connection by SAML accepts', () => {
  const lab = new SamlStandIn();
  const [second, third] = [new LabKey('Second'), new LabKey('Third')];
  let organization: Organization;
  let connection: LabConnection;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    organization = await Organization.found(app);
    const role = { key: 'engineer', name: 'Engineer', scopes: ['iam:member:read'] };
    await organization.call('POST', '/roles', role);
    connection = await provisioned(await LabConnection.active(organization, samlSettings(lab)));
    await connection.call('PATCH', '', { settings: { attributes: { groups: 'groups' } } });
    await connection.pretendTest();
    await connection.call('POST', '/activate');
  });

  const provisioned = async (by: LabConnection) => {
    await by.call('PATCH', '', { provisioning: { justInTime: true, syncRoles: 'every-sign-in' } });
    const rule = { attribute: 'groups', operator: 'equals', value: 'Engineering', roles: ['engineer'] };
    expect((await by.call('PUT', '/rules', { items: [rule] })).status).toBe(200);
    return by;
  };
  const signIn = async (twist: Twist = {}, nameId = ulid()) => {
    const email = `${ulid().toLowerCase()}@${connection.domain}`;
    const words = { attributes: { email }, ...twist.words };
    const form = lab.answer(await connection.start(), nameId, { ...twist, words });
    const { fragment } = await connection.bring(form);
    return { email, error: fragment['error'] };
  };
  const rolesOf = async (email: string) => {
    const answer = await organization.call('GET', '/members?limit=100');
    return itemsOf<{ email: string; roles: string[] }>(answer).find((one) => one.email === email)?.roles;
  };
  /** Puts XML behind the attributes of an assertion. */
  const withAttribute = (xml: string) => ({
    before: (response: string) => response.replace('</saml:AttributeStatement>', `${xml}$&`),
  });

  describe('ids and namespaces:', () => {
    it('ids that begin with a digit (tngan/samlify#466, ferriskey/ferriskey#1264)', async () => {
      const id = () => `0${randomUUID().slice(1)}`;
      expect((await signIn({ words: { responseId: id(), assertionId: id() } })).error).toBeUndefined();
      const words = { responseId: id(), assertionId: id() };
      expect((await signIn({ words, sign: { response: true } })).error).toBeUndefined();
    });

    it('an issuer with a format (node-saml/passport-saml#10, openedx/openedx-platform#14308)', async () => {
      const format = 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity"';
      const before = (xml: string) => xml.replaceAll('<saml:Issuer>', `<saml:Issuer ${format}>`);
      expect((await signIn({ before })).error).toBeUndefined();
    });

    it('an assertion with a default namespace (keycloak/keycloak#22962)', async () => {
      const namespace = 'xmlns="urn:oasis:names:tc:SAML:2.0:assertion"';
      const before = (xml: string) => xml.replace('<saml:Assertion ', `<saml:Assertion ${namespace} `);
      expect((await signIn({ before })).error).toBeUndefined();
      expect((await signIn({ before, sign: { response: true } })).error).toBeUndefined();
    });

    it('prefixes of other libraries (SAML-Toolkits/java-saml#103)', async () => {
      const before = (xml: string) =>
        xml.replaceAll('samlp', 'saml2p').replaceAll(/\bsaml([:=])/g, 'saml2$1');
      expect((await signIn({ before })).error).toBeUndefined();
    });

    it.each(['ns0', '_', 'a.b-1', 'xSAML', 'ä'])('the prefix %p', async (prefix) => {
      const before = (xml: string) => xml.replaceAll(/(<\/?|xmlns:)saml(?=[:=])/g, `$1${prefix}`);
      expect((await signIn({ before })).error).toBeUndefined();
    });

    it('a byte order mark before the response, with or without a declaration', async () => {
      for (const declaration of ['', '<?xml version="1.0" encoding="UTF-8"?>']) {
        const after = (xml: string) => `\ufeff${declaration}${xml}`;
        expect((await signIn({ after })).error).toBeUndefined();
      }
    });

    it('two signatures (Clever/saml2#47, SAML-Toolkits/ruby-saml#558)', async () => {
      expect((await signIn({ sign: { response: true } })).error).toBeUndefined();
    });
  });

  describe('encodings:', () => {
    it.each([
      ['CR LF (RUB-NDS/BurpSSOExtension#7, spring-projects/spring-security#10923)', '\r\n'],
      ['LF (FusionAuth/fusionauth-issues#511)', '\n'],
    ])('base64 in lines of 76 with %s', async (_what, end) => {
      const encode = (xml: string) =>
        (
          Buffer.from(xml)
            .toString('base64')
            .match(/.{1,76}/g) ?? []
        ).join(end) + end;
      expect((await signIn({ encode })).error).toBeUndefined();
    });

    it('but no XML in the clear (SAML-Toolkits/php-saml#390)', async () => {
      expect((await signIn({ encode: (xml) => xml })).error).toBe('invalid_response');
    });
  });

  describe('times:', () => {
    it.each([1, 30])(
      'a NotBefore that is %i s ahead (SAML-Toolkits/ruby-saml#17, crewjam/saml#40, tngan/samlify#256)',
      async (seconds) => {
        const words = { notBefore: inSeconds(seconds), issued: inSeconds(seconds) };
        expect((await signIn({ words: { ...words, responseIssued: inSeconds(seconds) } })).error).toBe(
          undefined,
        );
      },
    );

    it('but not one that is minutes ahead (postmanlabs/postman-app-support#7807)', async () => {
      expect((await signIn({ words: { notBefore: inSeconds(300) } })).error).toBe('invalid_response');
    });

    it.each([
      ['no fraction', (time: string) => time.replace(/\.\d+/, '')],
      ['seven digits', (time: string) => time.replace(/\.(\d+)/, '.$10000')],
    ])('times with %s', async (_what, change) => {
      const before = (xml: string) => xml.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, change);
      expect((await signIn({ before })).error).toBeUndefined();
    });
  });

  describe('attributes:', () => {
    const empty: [string, string][] = [
      ['no value (node-saml/node-saml#227, node-saml/passport-saml#111)', '<saml:Attribute Name="groups"/>'],
      [
        'an empty value (SAML-Toolkits/ruby-saml#137, simplesamlphp/saml2#135)',
        '<saml:Attribute Name="groups"><saml:AttributeValue/></saml:Attribute>',
      ],
      [
        'a null value (FusionAuth/fusionauth-issues#3190)',
        '<saml:Attribute Name="groups"><saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></saml:Attribute>',
      ],
    ];

    it.each(empty)('with %s, which gives no role', async (_what, xml) => {
      const { email, error } = await signIn(withAttribute(xml));
      expect([error, await rolesOf(email)]).toEqual([undefined, ['member']]);
    });

    it.each(empty)('that no rule needs, with %s', async (_what, xml) => {
      const both = `<saml:Attribute Name="groups"><saml:AttributeValue>Engineering</saml:AttributeValue></saml:Attribute>${xml.replace('"groups"', '"employee_id"')}`;
      const { email, error } = await signIn(withAttribute(both));
      expect([error, await rolesOf(email)]).toEqual([undefined, ['engineer']]);
    });

    it('an empty statement, with the address as NameID (IdentityPython/pysaml2#949)', async () => {
      const email = `${ulid().toLowerCase()}@${connection.domain}`;
      const words = { attributes: {}, nameIdAttributes: `Format="${EMAIL_FORMAT}"` };
      const before = (xml: string) => xml.replace('</saml:Assertion>', '<saml:AttributeStatement/>$&');
      expect((await signIn({ words, before }, email)).error).toBeUndefined();
      expect(await rolesOf(email)).toEqual(['member']);
    });

    it('a NameID as value (node-saml/passport-saml#245, simplesamlphp/saml2#105)', async () => {
      const xml = `<saml:Attribute Name="urn:oid:1.3.6.1.4.1.5923.1.1.1.10" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"><saml:AttributeValue><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" NameQualifier="x">y</saml:NameID></saml:AttributeValue></saml:Attribute>`;
      expect((await signIn(withAttribute(xml))).error).toBeUndefined();
    });

    it('values with a type', async () => {
      const xml = `<saml:Attribute Name="groups"><saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">Engineering</saml:AttributeValue></saml:Attribute>`;
      const { email, error } = await signIn(withAttribute(xml));
      expect([error, await rolesOf(email)]).toEqual([undefined, ['engineer']]);
    });
  });

  it('no status but success (gravitational/teleport#1754)', async () => {
    for (const status of ['Responder', 'Requester', 'AuthnFailed'])
      expect((await signIn({ words: { status } })).error).toBeDefined();
  });

  it('a response without a request, whose InResponseTo is empty (IdentityPython/pysaml2#458, pac4j/pac4j#1838)', async () => {
    await connection.call('PATCH', '', { idpInitiated: true });
    const attributes = { email: `${ulid().toLowerCase()}@${connection.domain}` };
    for (const none of ['', null]) {
      const words = { inResponseTo: none, confirmationInResponseTo: none, attributes };
      const { SAMLResponse } = lab.answer(await connection.start(), ulid(), { words });
      const landing = await connection.bring({ SAMLResponse, RelayState: '' });
      expect([none, landing.status]).toEqual([none, 303]);
      expect(landing.returnUri).toContain(`connection=${connection.id}`);
    }
    await connection.call('PATCH', '', { idpInitiated: false });
  });

  describe('metadata', () => {
    const keyOf = (content: string, use = '') =>
      `<md:KeyDescriptor${use === '' ? '' : ` use="${use}"`}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>${content}</ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
    const x509 = (text: string) => `<ds:X509Certificate>${text}</ds:X509Certificate>`;
    const entity = (keys: string, more = '', id = lab.issuer) =>
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${id}"><md:IDPSSODescriptor ${more} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys}<md:SingleSignOnService Binding="${REDIRECT}" Location="${lab.entryPoint}"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
    const service = (id: string) =>
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${id}"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keyOf(x509(base64Of(third)))}<md:AssertionConsumerService index="1" Binding="x" Location="https://sp.example/"/></md:SPSSODescriptor></md:EntityDescriptor>`;
    const create = async (metadata: string) => {
      const { status, body } = await organization.call('POST', '/connections', {
        kind: 'saml',
        name: 'Provider',
        settings: { metadata },
      });
      const certificates = (body['certificates'] ?? []) as unknown as { sha256: string }[];
      const [violation] = (body['violations'] ?? []) as { message: string }[];
      return { status, count: certificates.length, message: violation?.message };
    };
    const own = base64Of(lab.key);

    it.each([
      [
        'with a header (simplesamlphp/simplesamlphp#999, catalyst/moodle-auth_saml2#272)',
        lab.key.certificate,
      ],
      [
        'with a header in one line (codegreencreative/laravel-samlidp#6)',
        lab.key.certificate.replaceAll('\n', ' '),
      ],
      ['with blanks around it (gravitational/teleport#2628)', `\n    ${own}\n  `],
      ['in lines (TremoloSecurity/OpenUnison#792)', own.replace(/.{64}/g, '$&\n')],
      ['in lines with CR (SAML-Toolkits/python3-saml#303)', own.replace(/.{76}/g, '$&&#13;\n')],
      [
        'with the chain behind it (goauthentik/authentik#26268)',
        `${lab.key.certificate}${second.certificate}`,
      ],
      ['with the chain glued to it (goauthentik/authentik#26268)', `${own}${base64Of(second)}`],
    ])('with a certificate %s', async (_how, text) => {
      expect(await create(entity(keyOf(x509(text), 'signing')))).toEqual({ status: 201, count: 1 });
    });

    it.each<[string, string, number]>([
      ['no use (compwright/passport-saml-metadata#12, keycloak/keycloak#51503)', keyOf(x509(own)), 1],
      [
        'two for signing (tngan/samlify#364, tngan/samlify#100)',
        keyOf(x509(own), 'signing') + keyOf(x509(base64Of(second)), 'signing'),
        2,
      ],
      [
        'another for encryption (node-saml/passport-saml#143)',
        keyOf(x509(base64Of(second)), 'encryption') + keyOf(x509(own), 'signing'),
        1,
      ],
      ['a broken certificate before it (RocketChat/Rocket.Chat#41481)', keyOf(x509('AAAA') + x509(own)), 1],
    ])('with keys: %s', async (_what, keys, count) => {
      expect(await create(entity(keys))).toEqual({ status: 201, count });
    });

    it('of one provider among services (tngan/samlify#77, spring-attic/spring-security-saml#38)', async () => {
      const list = (...parts: string[]) =>
        `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${parts.join('')}</md:EntitiesDescriptor>`;
      const provider = entity(keyOf(x509(own)));
      expect(await create(list(provider))).toMatchObject({ status: 201 });
      expect(await create(list(service('https://sp.example'), provider))).toMatchObject({
        status: 201,
        count: 1,
      });
      const two = await create(list(provider, entity(keyOf(x509(own)), '', 'https://second.example')));
      expect(two).toMatchObject({ status: 400, message: expect.stringContaining('one identity provider') });
    });

    it('but none that has expired, the year 1 of Go included (crewjam/saml#287, crewjam/saml#123)', async () => {
      const until = 'validUntil="0001-01-01T00:00:00Z"';
      const answer = await create(entity(keyOf(x509(own)), until));
      expect(answer).toMatchObject({ status: 400, message: expect.stringContaining('has expired') });
    });
  });
});
