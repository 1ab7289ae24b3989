import type { Twist } from '../oidc-stand-in.ts';

export type Fields = Record<string, string>;

/** How a stand-in sends a browser back: by an address, or by a form. */
export interface WayBack {
  readonly method: 'get' | 'post';
  readonly action: string;
  readonly fields: Fields;
}

/** Where a person signs in at a stand-in, who decides who it is and what goes wrong. */
export interface Counter {
  readonly kind: string;
  readonly title: string;
  /** Who it is, unless somebody else is named. */
  readonly person: Readonly<Record<string, unknown>>;
  /** What can go wrong, one at a time. */
  readonly mishaps: readonly string[];
  /** What the settings of the service need to know. @param page where the page of this counter is */
  settings(page: string): Record<string, string>;
  /** @param mishap none of the list for a sign-in as it should be */
  send(authorizationUrl: string, person: Record<string, unknown>, mishap: string): WayBack;
  close(): Promise<void>;
}

/** Changes what the browser brings back, or the stand-in until the next visit. */
export type Mishap = (fields: Fields) => Fields;

export const TURNS_BACK = 'the person turns back';

/** Of every provider that sends a code. */
export const CODE_MISHAPS: Readonly<Record<string, Mishap>> = {
  [TURNS_BACK]: ({ state = '' }) => ({ state, error: 'access_denied' }),
  'the code was given to nobody': (fields) => ({ ...fields, code: 'foreign' }),
  'the code is missing': ({ state = '' }) => ({ state }),
  'the state is forged': (fields) => ({ ...fields, state: 'forged' }),
};

/** Of every provider that sends an ID token: ones that prove nothing. */
export function tokenMishaps(set: (twist: Twist) => void): Record<string, Mishap> {
  const twists: Record<string, Twist> = {
    'the ID token has another nonce': { claims: { nonce: 'another' } },
    'the ID token is for another app': { claims: { aud: 'another' } },
    'the ID token is of another issuer': { claims: { iss: 'https://evil.example' } },
    'the ID token is too old': { claims: { iat: 0, exp: 1 } },
    'the ID token came with another access token': { claims: { at_hash: 'x'.repeat(22) } },
    'the ID token names nobody': { claims: { sub: undefined } },
    'the ID token is signed by nobody': { token: (token) => `${token.split('.').slice(0, 2).join('.')}.` },
    'the ID token is signed by an unknown key': { header: { kid: 'unknown' } },
    'the ID token is no token': { token: () => 'a.b.c' },
  };
  return Object.fromEntries(
    Object.entries(twists).map(([name, twist]) => [name, withStandIn(() => set(twist))]),
  );
}

/** A mishap of the stand-in alone. */
export function withStandIn(change: () => unknown): Mishap {
  return (fields) => {
    change();
    return fields;
  };
}
