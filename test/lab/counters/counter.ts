import type { Twist } from '../oidc-stand-in.ts';

export type Fields = Record<string, string>;

/** How a stand-in sends a browser back: in a query, or by a form. */
export interface WayBack {
  readonly method: 'get' | 'post';
  readonly action: string;
  readonly fields: Fields;
}

/** The page of a stand-in at which a user chooses an account and a fault. */
export interface Counter {
  readonly kind: string;
  readonly title: string;
  /** The account, unless another one is named. */
  readonly person: Readonly<Record<string, unknown>>;
  /** Possible faults, one at a time. */
  readonly mishaps: readonly string[];
  /** What the settings of the service need to know. @param page address of this counter's page */
  settings(page: string): Record<string, string>;
  /** @param mishap none of the list for a correct sign-in */
  send(authorizationUrl: string, person: Record<string, unknown>, mishap: string): WayBack;
  close(): Promise<void>;
}

/** Changes what the browser brings back, or the stand-in until the next visit. */
export type Mishap = (fields: Fields) => Fields;

export const TURNS_BACK = 'the person turns back';

/** Faults of every provider that sends a code. */
export const CODE_MISHAPS: Readonly<Record<string, Mishap>> = {
  [TURNS_BACK]: ({ state = '' }) => ({ state, error: 'access_denied' }),
  'the code was never issued': (fields) => ({ ...fields, code: 'foreign' }),
  'the code is missing': ({ state = '' }) => ({ state }),
  'the state is forged': (fields) => ({ ...fields, state: 'forged' }),
};

/** Faults of every provider that sends an ID token: tokens that prove nothing. */
export function tokenMishaps(set: (twist: Twist) => void): Record<string, Mishap> {
  const twists: Record<string, Twist> = {
    'the ID token has another nonce': { claims: { nonce: 'another' } },
    'the ID token is for another app': { claims: { aud: 'another' } },
    'the ID token is of another issuer': { claims: { iss: 'https://evil.example' } },
    'the ID token is too old': { claims: { iat: 0, exp: 1 } },
    'the ID token came with another access token': { claims: { at_hash: 'x'.repeat(22) } },
    'the ID token has no subject': { claims: { sub: undefined } },
    'the ID token has no signature': { token: (token) => `${token.split('.').slice(0, 2).join('.')}.` },
    'the ID token is signed by an unknown key': { header: { kid: 'unknown' } },
    'the ID token is no token': { token: () => 'a.b.c' },
  };
  return Object.fromEntries(
    Object.entries(twists).map(([name, twist]) => [name, withStandIn(() => set(twist))]),
  );
}

/** A fault of the stand-in alone. */
export function withStandIn(change: () => unknown): Mishap {
  return (fields) => {
    change();
    return fields;
  };
}
