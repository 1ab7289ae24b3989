import { randomBytes } from 'node:crypto';
import { SAML, type SamlConfig } from '@node-saml/node-saml';
import { inSeconds, LabKey } from '../lab/saml-stand-in.js';
import { posted, redirected } from '../lab/saml-logout.js';
import type { Organization } from './organization.js';
import { fieldsOf } from './plain-browser.js';
import type { Answer, TestApp } from './test-app.js';

const AUTHORIZATIONS = '/api/v1/iam/auth/authorizations';
export const FORMATS = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const;

/** What a request says. null leaves a part out. */
export interface RequestWords {
  readonly id: string;
  readonly issuer: string;
  readonly destination: string | null;
  readonly issued: string;
  /** Attributes of the request. */
  readonly attributes: string;
  /** Inserted behind the Issuer. */
  readonly more: string;
}

/** A page or address with which the service answers a browser. */
export interface BrowserAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly html: string;
  /** Where the page posts its form; null for a page without one. */
  readonly action: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

const madeUp = () => {
  const site = `https://erp-${randomBytes(6).toString('hex')}.example`;
  return { name: 'Warehouse', entityId: `${site}/saml`, consumers: [{ url: `${site}/acs`, index: 0 }] };
};

/** An app that speaks SAML by a library of other authors (`@node-saml/node-saml`). */
export class SamlApp {
  private constructor(
    readonly app: TestApp,
    readonly registration: Answer['body'],
    readonly entityId: string,
    readonly consumer: string,
    readonly key: LabKey,
  ) {}

  /** @param data of the registration; consumers and entity id are made up without them */
  static async register(
    app: TestApp,
    organization: Organization,
    data: object = {},
    key = new LabKey('App'),
  ): Promise<SamlApp> {
    const answer = await organization.call('POST', '/saml-clients', { ...madeUp(), ...data });
    const registered = SamlApp.of(app, answer, key);
    const consent = await organization.call('PUT', `/clients/${registered.clientId}/consent`);
    if (consent.status !== 200) throw new Error(`The consent answered ${consent.status}.`);
    return registered;
  }

  /** Registers an app of the platform. @param token of an operator */
  static async registerForPlatform(app: TestApp, token: string, data: object = {}): Promise<SamlApp> {
    const clientId = `erp-${randomBytes(6).toString('hex')}`;
    const given = { clientId, ...madeUp(), ...data };
    const answer = await app.call('POST', '/api/v1/iam/saml-clients', given, { token });
    return SamlApp.of(app, answer, new LabKey('App'));
  }

  private static of(app: TestApp, { status, body }: Answer, key: LabKey): SamlApp {
    if (status !== 201) throw new Error(`Registering answered ${status}: ${JSON.stringify(body)}`);
    const url = (body as unknown as { consumers: { url: string }[] }).consumers[0]?.url ?? '';
    return new SamlApp(app, body, String(body['entityId']), url, key);
  }

  get clientId(): string {
    return String(this.registration['clientId']);
  }

  get provider(): { readonly entityId: string; readonly signInUrl: string; readonly logoutUrl: string } {
    return this.registration['provider'] as never;
  }

  /** Certificate of the service, as its metadata has it. */
  async certificate(): Promise<string> {
    const xml = await (await fetch(this.local(this.provider.entityId))).text();
    const [, base64 = ''] = /<ds:X509Certificate>([^<]+)</.exec(xml) ?? [];
    const lines = base64.match(/.{1,64}/g) ?? [];
    return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  }

  /** The library, set up as its manual says. */
  async library(more: Partial<SamlConfig> = {}): Promise<SAML> {
    return new SAML({
      entryPoint: this.provider.signInUrl,
      logoutUrl: this.provider.logoutUrl,
      issuer: this.entityId,
      callbackUrl: this.consumer,
      audience: this.entityId,
      idpIssuer: this.provider.entityId,
      idpCert: await this.certificate(),
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: true,
      identifierFormat: null,
      validateInResponseTo: 'always' as never,
      ...more,
    });
  }

  /** Text of a request (SAML Core 3.4.1). */
  request(words: Partial<RequestWords> = {}): string {
    const { id = `_${randomBytes(16).toString('hex')}`, issuer = this.entityId } = words;
    const { destination = this.provider.signInUrl, issued = inSeconds(0) } = words;
    const { attributes = '', more = '' } = words;
    return (
      `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${issued}"` +
      `${destination === null ? '' : ` Destination="${destination}"`} ${attributes}>` +
      `<saml:Issuer>${issuer}</saml:Issuer>${more}</samlp:AuthnRequest>`
    );
  }

  /** Brings a request by redirect, signed if asked to. */
  redirect(
    xml: string,
    { key, relayState }: { key?: LabKey; relayState?: string } = {},
  ): Promise<BrowserAnswer> {
    return this.open(this.provider.signInUrl + redirected(xml, key?.privateKey ?? null, relayState));
  }

  /** Brings a request by a form, signed if asked to. */
  post(xml: string, key?: LabKey, more: object = {}): Promise<BrowserAnswer> {
    const fields = posted(xml, key?.privateKey ?? null, 'AuthnRequest');
    return this.open(this.provider.signInUrl, { ...fields, ...more });
  }

  /** Opens an address of the service as a browser does, or posts a form to it. */
  async open(address: string, form?: object): Promise<BrowserAnswer> {
    const post = form && { method: 'POST', body: new URLSearchParams(form as Record<string, string>) };
    const headers = { accept: 'text/html' };
    const response = await fetch(this.local(address), { redirect: 'manual', headers, ...post });
    const html = await response.text();
    const [, action = null] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
    const location = response.headers.get('location');
    return { status: response.status, location, html, action, fields: fieldsOf(html) };
  }

  /** Returns the id of the request on the page to which the browser was sent. */
  idOf({ location, status }: BrowserAnswer): string {
    const id = new URL(location ?? 'https://none.example').searchParams.get('request');
    if (id === null) throw new Error(`The request answered ${status}.`);
    return id;
  }

  approve(id: string, token: string): Promise<Answer> {
    return this.app.call('POST', `${AUTHORIZATIONS}/${id}/approve`, {}, { token });
  }

  async deny(id: string): Promise<BrowserAnswer> {
    const { body } = await this.app.call('POST', `${AUTHORIZATIONS}/${id}/deny`);
    return this.open(String(body['redirectTo']));
  }

  /** Approves the request of a page, and opens the response. */
  async finish(page: BrowserAnswer, token: string): Promise<BrowserAnswer> {
    const { status, body } = await this.approve(this.idOf(page), token);
    if (status !== 200) throw new Error(`The approval answered ${status}: ${JSON.stringify(body)}`);
    return this.open(String(body['redirectTo']));
  }

  /** Signs a person in by a request. @returns what the app's page gets */
  async signIn(token: string, words: Partial<RequestWords> = {}): Promise<BrowserAnswer> {
    return this.finish(await this.redirect(this.request(words)), token);
  }

  private local(address: string): string {
    const { origin } = new URL(this.provider.entityId);
    return address.replace(origin, this.app.url);
  }
}

/** XML of the response that a page posts. */
export const responseIn = ({ fields }: BrowserAnswer): string =>
  Buffer.from(fields['SAMLResponse'] ?? '', 'base64').toString();

/** Codes of the status of a response, without their common beginning. */
export const statusIn = (answer: BrowserAnswer): string[] =>
  [...responseIn(answer).matchAll(/StatusCode Value="urn:oasis:names:tc:SAML:2\.0:status:(\w+)"/g)].map(
    ([, code = '']) => code,
  );
