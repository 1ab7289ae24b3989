import { OidcStandIn } from '../oidc-stand-in.ts';
import { CODE_MISHAPS, tokenMishaps, withStandIn, type Counter, type Mishap } from './counter.ts';

/** @param port of its issuer; by default any free one */
export async function oidcCounter(port = 0): Promise<Counter> {
  const standIn = await OidcStandIn.start(port);
  const mishaps: Readonly<Record<string, Mishap>> = {
    ...CODE_MISHAPS,
    'the answer names another issuer': (fields) => ({ ...fields, iss: 'https://evil.example' }),
    ...tokenMishaps((twist) => (standIn.twist = twist)),
    '/token answers 500': withStandIn(() => (standIn.twist = { answer: { status: 500, body: {} } })),
    'every endpoint answers after seven seconds': withStandIn(() => (standIn.twist = { delayMs: 7_000 })),
  };
  return {
    kind: 'oidc',
    title: 'OpenID Connect',
    person: { sub: 'ada', email: 'ada@example.com', email_verified: true, given_name: 'Ada' },
    mishaps: Object.keys(mishaps),
    settings: (page) => {
      standIn.authorizationEndpoint = page;
      return { ...standIn.settings, EXTERNAL_OIDC_DOMAINS: 'example.com' };
    },
    send: (authorizationUrl, person, mishap) => {
      standIn.twist = {};
      standIn.person = person;
      const { origin, pathname, searchParams } = standIn.visit(authorizationUrl);
      const fields = Object.fromEntries(searchParams);
      return { method: 'get', action: origin + pathname, fields: mishaps[mishap]?.(fields) ?? fields };
    },
    close: () => standIn.close(),
  };
}
