import { OwnService } from '../scripts/own-service.mjs';
import { oidcCounter } from '../test/lab/counters/oidc-counter.ts';
import { samlCounter } from '../test/lab/counters/saml-counter.ts';
import { counterPages, pathOf } from '../test/lab/site/counter-pages.ts';
import { LabDns } from './dns.mjs';

const PASSWORD = 'quiet-harbour-42';
const API = '/api/v1/iam';

/** Two organizations, with their own provider each. */
const ORGANIZATIONS = [
  {
    name: 'North Freight',
    slug: 'north-freight',
    domain: 'north.example',
    owner: 'Nora',
    counter: oidcCounter,
  },
  {
    name: 'South Parcels',
    slug: 'south-parcels',
    domain: 'south.example',
    owner: 'Sam',
    counter: samlCounter,
  },
];

/**
 * Two organizations whose people sign in by their own providers, one by OpenID Connect and one by
 * SAML: made through the API as their owners would, with verified domains and tested connections.
 */
export class TwoOrganizations {
  #parts = [];
  /** What to try, by organization. */
  organizations = [];

  /** @param site server of the providers' pages */
  static async open(site) {
    const lab = new TwoOrganizations();
    try {
      await lab.#start(site);
    } catch (error) {
      await lab.stop();
      throw error;
    }
    return lab;
  }

  async stop() {
    for (const part of this.#parts.reverse()) await part.stop();
  }

  async #start(site) {
    const dns = this.#keep(await LabDns.start());
    this.service = this.#keep(
      await OwnService.start(
        { LOG_LEVEL: 'warn', DNS_SERVERS: dns.address, CONNECTION_TRUSTED_HOSTS: '127.0.0.1' },
        { shows: 'both' },
      ),
    );
    for (const given of ORGANIZATIONS) {
      const counter = await given.counter();
      this.#keep({ stop: () => counter.close() });
      const person = { ...counter.person, email: `ada@${given.domain}` };
      const shown = { ...counter, title: given.name, person };
      site.add(counterPages([shown]));
      await this.#found(given, shown, site.url + pathOf(shown), dns);
    }
  }

  #keep(part) {
    this.#parts.push(part);
    return part;
  }

  async #found({ name, slug, domain, owner: firstName }, counter, page, dns) {
    const email = `owner@${domain}`;
    const person = await this.#register(email, firstName);
    const { id } = await this.#call('POST', '/tenants', { name, slug }, person);
    const { accessToken: owner } = await this.#call('POST', '/auth/select-tenant', { tenantId: id }, person);
    const at = `/tenants/${id}`;
    const added = await this.#call('POST', `${at}/domains`, { name: domain }, owner);
    dns.add(added.record.name, added.record.value);
    await this.#call('POST', `${at}/domains/${added.id}/verify`, undefined, owner);
    const connection = await this.#call(
      'POST',
      `${at}/connections`,
      {
        name: `Sign-in of ${name}`,
        domainIds: [added.id],
        provisioning: { justInTime: true },
        ...settingsOf(counter.settings(page)),
      },
      owner,
    );
    const path = `${at}/connections/${connection.id}`;
    await this.#test(path, counter, owner);
    await this.#call('POST', `${path}/activate`, undefined, owner);
    this.organizations.push({
      name,
      owner: email,
      person: counter.person.email,
      signIn: `${this.service.base}/o/${slug}/sign-in`,
    });
  }

  /** @returns an access token */
  async #register(email, firstName) {
    const credentials = { email, password: PASSWORD };
    await this.#call('POST', '/auth/register', { ...credentials, firstName });
    const { token } = await this.service.nextMail(email);
    await this.#call('POST', '/auth/verify-email', { token, password: PASSWORD });
    return (await this.#call('POST', '/auth/login', credentials)).accessToken;
  }

  /** Signs in once without effect, as an owner does before the connection is activated. */
  async #test(path, counter, owner) {
    const { testId, authorizationUrl } = await this.#call('POST', `${path}/tests`, undefined, owner);
    const { method, action, fields } = counter.send(authorizationUrl, { ...counter.person }, '');
    const body = new URLSearchParams(fields);
    await fetch(method === 'get' ? `${action}?${body}` : action, {
      redirect: 'manual',
      ...(method === 'post' && { method, body }),
    });
    const { status, steps } = await this.#call('GET', `${path}/tests/${testId}`, undefined, owner);
    if (status !== 'passed') throw new Error(`The test sign-in failed: ${JSON.stringify(steps)}`);
  }

  async #call(method, path, body, token) {
    const response = await fetch(this.service.base + API + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }
}

/** Settings of a connection, from those of the deployment's provider of the kind. */
function settingsOf(given) {
  return 'EXTERNAL_OIDC_ISSUER' in given
    ? {
        kind: 'oidc',
        settings: {
          issuer: given.EXTERNAL_OIDC_ISSUER,
          clientId: given.EXTERNAL_OIDC_CLIENT_ID,
          clientSecret: given.EXTERNAL_OIDC_CLIENT_SECRET,
        },
      }
    : {
        kind: 'saml',
        settings: {
          entityId: given.EXTERNAL_SAML_IDP_ISSUER,
          ssoUrl: given.EXTERNAL_SAML_ENTRY_POINT,
          certificates: [given.EXTERNAL_SAML_IDP_CERT],
        },
      };
}

/** What to try, in words. */
export function wordsOf({ service, organizations }) {
  const lines = organizations.flatMap(({ name, owner, person, signIn }) => [
    `  ${name}`,
    `    its people     ${signIn}, as ${person}`,
    `    its owner      ${owner} with password ${PASSWORD}`,
  ]);
  return `
  Gatehouse        ${service.base}

${lines.join('\n')}

  The sign-in page leads there from an address of the domain as well. Each organization's owner
  finds its domain, its connection and its rules under Single sign-on.
  Ctrl-C ends everything, and nothing is left behind.`;
}
