import type { Element } from '@xmldom/xmldom';
import { ASSERTION, attributeOf, childrenOf, demand, PROTOCOL } from '../../external-identity/index.js';
import { type SamlSettings, scopesOf } from '../clients/saml-client.js';
import type { NameIdFormat } from '../clients/saml-values.js';
import { FORMAT_NAMES, POST, UNSPECIFIED } from '../messages/saml-names.js';
import { readAuthnContext } from './authn-context.js';
import { StatusError } from './saml-status.js';

/** What a request asks for, of what the app is registered for. */
export interface AskedSignIn {
  readonly nameIdFormat: NameIdFormat;
  /** Whether the person may get an identifier for this app now. */
  readonly allowCreate: boolean;
  /** Class that the sign-in must fulfil; null for any. */
  readonly authnContext: string | null;
  readonly prompts: string[];
}

/**
 * Finds the registered address for the response.
 * @throws {SamlRefusal} if the request names another one: nothing is sent there
 */
export function findConsumer(root: Element, { consumers }: SamlSettings): string {
  const url = attributeOf(root, 'AssertionConsumerServiceURL');
  const index = attributeOf(root, 'AssertionConsumerServiceIndex');
  demand(url === null || index === null, 'SAML-18', 'it names an address for the response twice');
  const named = consumers.find((one) =>
    url === null ? index === null || String(one.index) === index : one.url === url,
  );
  demand(named !== undefined, 'SAML-18', 'the address for the response is not registered');
  return named.url;
}

/**
 * Reads what a request asks for (SAML Core 3.4.1).
 * @throws {StatusError} for what cannot be given
 */
export function readAuthnRequest(root: Element, settings: SamlSettings): AskedSignIn {
  const binding = attributeOf(root, 'ProtocolBinding');
  if (binding !== null && binding !== POST) throw new StatusError('UnsupportedBinding');
  // The response would have to be about this person and no other.
  if (childrenOf(root, ASSERTION, 'Subject').length > 0) throw new StatusError('RequestUnsupported');
  const [isPassive, isForced] = [isTrue(root, 'IsPassive'), isTrue(root, 'ForceAuthn')];
  if (isPassive && isForced) throw new StatusError('NoPassive');
  return {
    ...readNameIdPolicy(root, settings),
    authnContext: readAuthnContext(root),
    prompts: [...(isPassive ? ['none'] : []), ...(isForced ? ['login'] : [])],
  };
}

/** @throws {StatusError} InvalidNameIDPolicy */
function readNameIdPolicy(
  root: Element,
  settings: SamlSettings,
): Pick<AskedSignIn, 'nameIdFormat' | 'allowCreate'> {
  const [policy] = childrenOf(root, PROTOCOL, 'NameIDPolicy');
  if (!policy) return { nameIdFormat: settings.nameIdFormat, allowCreate: true };
  const qualifier = attributeOf(policy, 'SPNameQualifier') || settings.entityId;
  const nameIdFormat = formatOf(attributeOf(policy, 'Format') || UNSPECIFIED, settings);
  if (qualifier !== settings.entityId || nameIdFormat === null) throw new StatusError('InvalidNameIDPolicy');
  // The default of the standard is false, with which no app could ever begin.
  const allowCreate = attributeOf(policy, 'AllowCreate') === null || isTrue(policy, 'AllowCreate');
  return { nameIdFormat, allowCreate };
}

/** @returns null for a format that is not given, or an address that the app does not learn */
function formatOf(format: string, settings: SamlSettings): NameIdFormat | null {
  if (format === UNSPECIFIED) return settings.nameIdFormat;
  const named = (Object.keys(FORMAT_NAMES) as NameIdFormat[]).find((one) => FORMAT_NAMES[one] === format);
  if (named === 'email' && !scopesOf(settings).includes('email')) return null;
  return named ?? null;
}

const isTrue = (element: Element, name: string): boolean =>
  ['true', '1'].includes(attributeOf(element, name) ?? '');
