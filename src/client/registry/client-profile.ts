import { AppError, type Violation } from '../../platform/errors/index.js';
import type { ClientTraits } from './client.repository.js';

/** What the FAPI 2.0 Security Profile fixes of a client (sections 5.3.2 and 5.4.1). */
const FAPI2 = {
  type: 'confidential',
  satelliteCodes: false,
  tokenEndpointAuthMethod: 'private_key_jwt',
  requirePar: true,
  requirePkce: true,
  requireDpop: true,
  idTokenAlg: 'ES256',
  accessTokenAlg: 'ES256',
} as const;

/** Algorithms of assertions and proofs of a client with the profile (section 5.4.1). */
const FAPI2_ALGS: readonly string[] = ['PS256', 'ES256', 'EdDSA'];

/** What decides whether a client keeps to its profile. */
type Profiled = Partial<Pick<ClientTraits, 'security' | 'grantTypes' | keyof typeof FAPI2>> &
  Pick<ClientTraits, 'redirectUris'>;

/** Returns what the profile of a client sets, with which it is registered. */
export const fixedBy = (security: ClientTraits['security'] | undefined): Partial<typeof FAPI2> =>
  security === 'fapi2' ? FAPI2 : {};

/**
 * Requires that a client has what its profile fixes.
 * @throws {AppError} validation-error on each property that differs
 */
export function requireProfile(client: Profiled): void {
  if (client.security !== 'fapi2') return;
  const violations = (Object.keys(FAPI2) as (keyof typeof FAPI2)[]).flatMap((name): Violation[] =>
    client[name] === FAPI2[name]
      ? []
      : [{ propertyPath: name, message: `must be ${String(FAPI2[name])}: fapi2` }],
  );
  const plain = client.redirectUris.findIndex((uri) => !uri.startsWith('https://'));
  if (plain !== -1)
    violations.push({ propertyPath: `redirectUris[${plain}]`, message: 'must be https: fapi2' });
  if (client.grantTypes?.some((type) => type.endsWith(':device_code')))
    violations.push({
      propertyPath: 'grantTypes',
      message: 'must not be of devices, which push no request: fapi2',
    });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}

/** Returns whether a client may sign assertions and proofs by an algorithm. */
export const acceptsAlg = ({ security }: Pick<ClientTraits, 'security'>, alg: string): boolean =>
  security !== 'fapi2' || FAPI2_ALGS.includes(alg);
