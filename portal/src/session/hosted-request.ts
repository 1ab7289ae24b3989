import type { components } from '@gatehouse/client';

type CodeRequest = components['schemas']['HostedCodeDto'];

export type HostedRequest = Omit<CodeRequest, keyof NeededSignIn>;

/** The sign-in that the app asks for. */
export type NeededSignIn = Pick<CodeRequest, 'acr' | 'maxAge'>;

/** Reads the request of an app from the query of the sign-in page; null for the portal's own. */
export function hostedRequestIn(query: URLSearchParams): HostedRequest | null {
  const returnTo = query.get('return_to');
  if (returnTo === null) return null;
  const state = query.get('state') || undefined;
  return {
    returnTo,
    codeChallenge: query.get('code_challenge') ?? '',
    ...(state !== undefined && { state }),
  };
}

/** Reads from the query of the sign-in page which sign-in the app needs; the service checks it. */
export function neededSignInOf(query: URLSearchParams): NeededSignIn {
  const [acr, maxAge] = [query.get('acr'), query.get('max_age')];
  return {
    ...(acr !== null && { acr: acr as NonNullable<NeededSignIn['acr']> }),
    ...(maxAge !== null && { maxAge: Number(maxAge) }),
  };
}

let pressed = false;

/**
 * Whether a press on the sign-in page of an app's request has signed the user in, in this tab: the
 * request then continues without a second press. In memory, so that neither a reload nor a link of
 * another site continues by itself (ADR 31).
 */
export const signedInHere = {
  note: (value: boolean): void => {
    pressed = value;
  },
  isNoted: (): boolean => pressed,
};
