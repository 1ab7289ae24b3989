import { AppleStandIn } from '../apple-stand-in.ts';
import { FacebookStandIn } from '../facebook-stand-in.ts';
import { GoogleStandIn } from '../google-stand-in.ts';
import type { OAuthStandIn, Reply } from '../oauth-stand-in.ts';
import {
  CODE_MISHAPS,
  tokenMishaps,
  TURNS_BACK,
  withStandIn,
  type Counter,
  type Mishap,
  type WayBack,
} from './counter.ts';

const TROUBLE: Readonly<Record<string, Reply>> = {
  'answers 500': { status: 500 },
  'answers after seven seconds': { delayMs: 7_000 },
  'hangs up': { drop: true },
  'answers what is no JSON': { body: '<html>' },
};

export async function googleCounter(): Promise<Counter> {
  return counter(await new GoogleStandIn().listen(), {
    kind: 'google_oauth',
    title: 'Google',
    person: { sub: '1001', email: 'ada@gmail.com', email_verified: true, given_name: 'Ada' },
    address: 'EXTERNAL_GOOGLE_AUTHORIZATION_URL',
    endpoints: ['/token', '/v3/userinfo'],
  });
}

export async function facebookCounter(): Promise<Counter> {
  const standIn = await new FacebookStandIn().listen();
  const inspected = (said: Record<string, unknown>) => withStandIn(() => (standIn.inspection = said));
  return counter(standIn, {
    kind: 'facebook_oauth',
    title: 'Facebook',
    person: { id: '77001', first_name: 'Ada', email: 'ada@example.com' },
    address: 'EXTERNAL_FACEBOOK_AUTHORIZATION_URL',
    endpoints: ['/oauth/access_token', '/debug_token', '/me'],
    reset: () => (standIn.inspection = {}),
    mishaps: {
      'the access token is of another app': inspected({ app_id: 'another' }),
      'the access token is of another person': inspected({ user_id: 'another' }),
      'the access token is not valid': inspected({ is_valid: false }),
    },
  });
}

export async function appleCounter(): Promise<Counter> {
  const standIn = await AppleStandIn.start();
  return counter(standIn, {
    kind: 'apple_oauth',
    title: 'Apple',
    person: { sub: '000123.ada', email: 'ada@icloud.com', email_verified: 'true' },
    address: 'EXTERNAL_APPLE_AUTHORIZATION_URL',
    method: 'post',
    endpoints: ['/auth/token', '/auth/keys'],
    reset: () => (standIn.twist = {}),
    mishaps: {
      [TURNS_BACK]: ({ state = '' }) => ({ state, error: 'user_cancelled_authorize' }),
      ...tokenMishaps((twist) => (standIn.twist = twist)),
    },
  });
}

interface Particulars extends Pick<Counter, 'kind' | 'title' | 'person'> {
  /** The setting with the address of its page. */
  readonly address: string;
  readonly method?: WayBack['method'];
  /** Endpoints that a sign-in calls, each of which can fail. */
  readonly endpoints: readonly string[];
  readonly mishaps?: Readonly<Record<string, Mishap>>;
  readonly reset?: () => unknown;
}

function counter(
  standIn: OAuthStandIn,
  { address, method = 'get', endpoints, reset, mishaps: own, ...about }: Particulars,
): Counter {
  const trouble = endpoints.flatMap((path) =>
    Object.entries(TROUBLE).map(([what, reply]): [string, Mishap] => [
      `${path} ${what}`,
      withStandIn(() => (standIn.replies = { [path]: reply })),
    ]),
  );
  const mishaps = { ...CODE_MISHAPS, ...own, ...Object.fromEntries(trouble) };
  return {
    ...about,
    mishaps: Object.keys(mishaps),
    settings: (page) => ({ ...standIn.settings, [address]: page }),
    send: (authorizationUrl, person, mishap) => {
      standIn.replies = {};
      reset?.();
      standIn.person = person;
      const fields = standIn.consent(authorizationUrl);
      return {
        method,
        action: new URL(authorizationUrl).searchParams.get('redirect_uri') ?? '',
        fields: mishaps[mishap]?.(fields) ?? fields,
      };
    },
    close: () => standIn.close(),
  };
}
