import { Logger } from '@nestjs/common';
import { ExclusiveCanonicalization, SignedXml } from 'xml-crypto';
import { StateCodec } from '../../../src/external-identity/flow/state/state-store.js';
import { ATTACKS, FAILURES, withoutAssertion } from '../../lab/saml-attacks.js';
import { LabKey, SamlStandIn, type Twist } from '../../lab/saml-stand-in.js';
import { ExternalVisitor, signInTraces } from '../../support/external.js';
import { withApp } from '../../support/test-app.js';

describe('SAML answers that prove nothing', () => {
  const lab = new SamlStandIn();
  let visitor: ExternalVisitor;
  let warn: jest.SpyInstance;
  const app = withApp({ ...lab.settings, EXTERNAL_SAML_DOMAINS: 'example.com' });
  beforeAll(async () => {
    visitor = new ExternalVisitor(app, 'saml');
  });
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn');
  });
  afterEach(() => warn.mockRestore());

  const begin = async () => {
    const { body } = await visitor.start();
    return { state: String(body['state']), url: String(body['authorizationUrl']) };
  };
  /** The requirement that refused it, as the log has it. */
  const refusedBy = (): unknown =>
    warn.mock.calls.map(([entry]) => /SAML-\d+/.exec((entry as { cause?: string }).cause ?? '')?.[0]).at(-1);

  it.each(Object.entries(ATTACKS).map(([name, [check, twist]]) => [name, check, twist] as const))(
    '%s: %s',
    async (_name, check, twist) => {
      const { state, url } = await begin();
      const before = await signInTraces(app);
      const landing = await visitor.post(lab.answer(url, 'admin', twist));
      expect(landing).toMatchObject({ status: 303, returnUri: 'http://gatehouse.test' });
      expect(landing.fragment).toEqual({
        error: 'invalid_response',
        error_description: expect.any(String),
        state,
      });
      expect(refusedBy()).toBe(check);
      expect(await signInTraces(app)).toEqual(before);
    },
  );

  it.each(Object.entries(FAILURES).map(([name, [error, twist]]) => [name, error, twist] as const))(
    '%s: %s',
    async (_name, error, twist) => {
      const { url } = await begin();
      const before = await signInTraces(app);
      const landing = await visitor.post(
        lab.answer(url, 'admin', { ...twist, sign: { assertion: false }, after: withoutAssertion }),
      );
      expect(landing.fragment).toMatchObject({ error });
      expect(await signInTraces(app)).toEqual(before);
    },
  );

  it('a bad answer does not use the flow up (EXT-4)', async () => {
    const { url } = await begin();
    await visitor.post(lab.answer(url, 'patient', { sign: { assertion: false } }));
    expect((await visitor.post(lab.answer(url, 'patient'))).fragment).toHaveProperty('access_token');
  });

  it('a list of a thousand prefixes is refused before anything is canonicalised by it', async () => {
    const { url } = await begin();
    const naming = (xml: string) =>
      xml.replace(
        /(<ds:Transform Algorithm="[^"]*exc-c14n#")\s*(?:\/>|><\/ds:Transform>)/,
        `$1><ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${'a '.repeat(1_000)}"/></ds:Transform>`,
      );
    await visitor.post(lab.answer(url, 'admin', { after: naming }));
    expect(warn.mock.calls.at(-1)).toEqual([
      expect.objectContaining({ cause: expect.stringContaining('a list of prefixes is too long') }),
      expect.anything(),
    ]);
  });

  describe('that would cost much', () => {
    let canonicalise: jest.SpyInstance;
    let library: jest.SpyInstance;
    beforeEach(() => {
      canonicalise = jest.spyOn(ExclusiveCanonicalization.prototype, 'process');
      library = jest.spyOn(SignedXml.prototype, 'loadSignature');
    });
    afterEach(() => {
      canonicalise.mockRestore();
      library.mockRestore();
    });

    const namespaces = Array.from({ length: 400 }, (_, at) => ` xmlns:p${at}="urn:${at}" p${at}:a=""`).join(
      '',
    );
    const heavy = `<x${namespaces}>${'<x></x>'.repeat(900)}</x>`;
    const into = (tag: string) => (xml: string) => xml.replace(`</${tag}>`, `${heavy}</${tag}>`);
    /** @returns number of canonicalized elements, and whether the library was called */
    const post = async (twist: Twist) => {
      const { url } = await begin();
      const answer = lab.answer(url, 'admin', twist);
      canonicalise.mockClear();
      library.mockClear();
      const { fragment } = await visitor.post(answer);
      const elements = canonicalise.mock.calls.map(([{ localName }]: [{ localName: string }]) => localName);
      return { fragment, elements, library: library.mock.calls.length > 0 };
    };
    const cause = (): unknown => (warn.mock.calls.at(-1)?.[0] as { cause?: string } | undefined)?.cause;

    it.each([
      ['the assertion', {}],
      ['the response too', { response: true }],
    ])('are refused by the SignedInfo alone, where another key has signed %s', async (_name, signed) => {
      const { privateKey: key } = new LabKey('Attacker');
      const twist: Twist = { before: into('saml:Assertion'), sign: { key, ...signed } };
      expect(await post(twist)).toMatchObject({ elements: ['SignedInfo'], library: false });
      expect(cause()).toContain('SAML-1: no certificate of the connection');
    });

    it('are refused without the library, where a signature was made for something smaller', async () => {
      const cost = await post({ after: into('saml:Assertion') });
      expect(cost).toMatchObject({ elements: ['SignedInfo', 'Assertion'], library: false });
      expect(cause()).toContain('SAML-1: something else was signed');
    });

    it('are refused before anything is canonicalised, where the SignedInfo is heavy', async () => {
      expect(await post({ after: into('ds:SignedInfo') })).toMatchObject({ elements: [], library: false });
      expect(cause()).toContain('SAML-1: there is too much in the SignedInfo');
    });

    it.each([
      ['many names', Array.from({ length: 65 }, (_, at) => `<n${at}></n${at}>`).join('')],
      ['much markup', '>'.repeat(10_000)],
    ])('are refused before they are parsed, where they have %s', async (what, junk) => {
      await post({ after: (xml) => xml.replace('</saml:Assertion>', junk) }); // which is not well-formed either
      expect(cause()).toContain(`SAML-3: it has too ${what}`);
    });

    it('are accepted, where a person is in 600 groups', async () => {
      const group =
        '<saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="string">R&amp;D</saml:AttributeValue>';
      const groups = `<saml:AttributeStatement><saml:Attribute Name="groups">${group.repeat(600)}</saml:Attribute></saml:AttributeStatement>`;
      const before = (xml: string) => xml.replace('</saml:Assertion>', `${groups}</saml:Assertion>`);
      expect((await post({ before })).fragment).toHaveProperty('access_token');
    });

    it('are accepted, where the identity provider has signed them', async () => {
      const { fragment, elements, library: seen } = await post({ before: into('saml:Assertion') });
      expect(fragment).toHaveProperty('access_token');
      expect(elements.slice(0, 2)).toEqual(['SignedInfo', 'Assertion']);
      expect(seen).toBe(true);
    });
  });

  it('an answer in an address is none', async () => {
    const { url } = await begin();
    const callback = new URL('/api/iam/auth/external/saml/callback', app.url);
    callback.search = new URLSearchParams(lab.answer(url, 'admin')).toString();
    expect(await visitor.open(callback)).toMatchObject({ status: 400, returnUri: '' });
  });

  it('a larger form than any answer is not read', async () => {
    const { url } = await begin();
    const { RelayState } = lab.answer(url, 'admin');
    expect((await visitor.post({ RelayState, SAMLResponse: 'A'.repeat(600_000) })).status).toBe(413);
  });

  describe('RelayState', () => {
    const unusable: readonly (readonly [string, (state: string, relay: string) => string])[] = [
      ['garbage', () => 'garbage'],
      ['nothing', () => ''],
      ['an address', () => 'https://evil.example/'],
      ['the signed state itself', (state) => state],
      ['another one', (_state, relay) => `${relay}x`],
    ];
    it.each(unusable)('%s leads nowhere', async (_name, relayOf) => {
      const { state, url } = await begin();
      const before = await signInTraces(app);
      const answer = lab.answer(url, 'admin');
      const landing = await visitor.post({ ...answer, RelayState: relayOf(state, answer.RelayState) });
      expect(landing).toMatchObject({ status: 400, returnUri: '', fragment: {} });
      expect(await signInTraces(app)).toEqual(before);
    });

    it('that is over leads nowhere', async () => {
      const { url } = await begin();
      await app.sql(`UPDATE external_states SET expires_at = now() - interval '1 second'`);
      expect((await visitor.post(lab.answer(url, 'admin'))).status).toBe(400);
    });

    it('that is there twice leads nowhere', async () => {
      const { url } = await begin();
      const form = new URLSearchParams(lab.answer(url, 'admin'));
      form.append('RelayState', 'other');
      const response = await fetch(`${app.url}/api/iam/auth/external/saml/callback`, {
        method: 'POST',
        redirect: 'manual',
        body: form,
      });
      expect(response.status).toBe(400);
    });

    it('of another flow does not fit the answer (SAML-10)', async () => {
      const [mine, theirs] = [await begin(), await begin()];
      const { RelayState } = lab.answer(theirs.url, 'admin');
      const before = await signInTraces(app);
      const landing = await visitor.post({ ...lab.answer(mine.url, 'admin'), RelayState });
      expect(landing.fragment).toMatchObject({ error: 'invalid_response', state: theirs.state });
      expect(refusedBy()).toBe('SAML-10');
      expect(await signInTraces(app)).toEqual(before);
    });

    it('of a flow of another kind leads nowhere (EXT-5)', async () => {
      const { url, state } = await begin();
      const answer = lab.answer(url, 'admin');
      const codec = app.app.get(StateCodec, { strict: false });
      const ours = codec.decode(state);
      if (!ours) throw new Error('The state does not open.');
      const other = codec.encode({ ...ours, kind: 'oidc' });
      await app.sql('UPDATE external_states SET state = $1 WHERE state = $2', [other, state]);
      expect((await visitor.post(answer)).status).toBe(400);
    });
  });

  describe('the same answer again (SAML-11)', () => {
    const sessions = async (): Promise<number> =>
      (await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM sessions'))[0]?.count ?? 0;

    it('is accepted once', async () => {
      const { url } = await begin();
      const answer = lab.answer(url, 'once');
      expect((await visitor.post(answer)).fragment).toHaveProperty('access_token');
      const before = await signInTraces(app);
      expect((await visitor.post(answer)).status).toBe(400);
      expect(await signInTraces(app)).toEqual(before);
    });

    it('is accepted once of twenty concurrent times', async () => {
      const { url } = await begin();
      const answer = lab.answer(url, 'crowd');
      const before = await sessions();
      const landings = await Promise.all(Array.from({ length: 20 }, () => visitor.post(answer)));
      const refused = landings.filter(({ fragment }) => !('access_token' in fragment));
      expect(refused).toHaveLength(19);
      // Used up, or no connection within a second, which a busy machine may come to.
      for (const { status, fragment } of refused)
        expect([400, 503, 'temporarily_unavailable']).toContain(fragment['error'] ?? status);
      expect((await sessions()) - before).toBe(1);
    });

    it('under the same assertion ID is refused even if it fits another flow', async () => {
      const twist: Twist = { words: { assertionId: '_reused' } };
      const first = await visitor.post(lab.answer((await begin()).url, 'reused', twist));
      expect(first.fragment).toHaveProperty('access_token');
      const { url } = await begin();
      const before = await signInTraces(app);
      expect((await visitor.post(lab.answer(url, 'reused', twist))).fragment).toMatchObject({
        error: 'invalid_response',
      });
      expect(await signInTraces(app)).toEqual(before);
    });

    it('is remembered until it expires', async () => {
      const rows = await app.sql<{ seconds: number }>(
        'SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM external_proofs',
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const { seconds } of rows) expect(seconds).toBeGreaterThan(240);
      for (const { seconds } of rows) expect(seconds).toBeLessThanOrEqual(360);
    });
  });
});
