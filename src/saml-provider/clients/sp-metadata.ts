import type { Element } from '@xmldom/xmldom';
import {
  certificatesOf,
  checkCertificate,
  childrenOf,
  findEntities,
  locationOf,
  parseMetadata,
} from '../../connection/index.js';
import { METADATA, POST, PROTOCOL, REDIRECT, SOAP } from '../messages/saml-names.js';
import type { SamlSettings } from './saml-client.js';
import type { Consumer } from './saml-values.js';

const MAX_INDEX = 65_535;

/** Settings that metadata of an app has. */
export interface SpMetadata extends Pick<
  SamlSettings,
  'entityId' | 'consumers' | 'certificates' | 'requireSignedRequests' | 'logoutUrl' | 'logoutBinding'
> {
  /** Where its server takes requests for a logout; null if nowhere. */
  readonly backchannelLogoutUrl: string | null;
}

/**
 * Reads the metadata of one app (SAML Metadata section 2.4.4). Keys are taken from it as they are:
 * the document is trusted because an administrator has brought it, so a signature is not checked.
 * @param now in milliseconds
 * @returns the fault of one that cannot be used, which quotes nothing of it
 */
export function readSpMetadata(text: string, now: number): SpMetadata | { readonly fault: string } {
  const root = parseMetadata(text);
  if ('fault' in root) return root;
  const apps = findEntities(root).filter((one) => childrenOf(one, METADATA, 'SPSSODescriptor').length > 0);
  const [entity] = apps;
  if (!entity || apps.length > 1) return { fault: 'must describe one app (an SPSSODescriptor)' };
  const [role, ...others] = childrenOf(entity, METADATA, 'SPSSODescriptor').filter((one) =>
    one.getAttribute('protocolSupportEnumeration').split(/\s+/).includes(PROTOCOL),
  );
  if (!role || others.length > 0) return { fault: 'must describe one app by SAML 2.0' };
  const ends = [...new Set([root, entity, role])].flatMap((one) => one.getAttribute('validUntil') || []);
  if (ends.some((end) => !(Date.parse(end) > now))) return { fault: 'has expired' };
  const consumers = consumersOf(role);
  if (consumers.length === 0) return { fault: 'must have an address for responses by HTTP-POST' };
  const logout = responseLocation(role, POST) ?? responseLocation(role, REDIRECT);
  return {
    entityId: entity.getAttribute('entityID'),
    consumers,
    certificates: certificatesOf(role).filter((one) => 'sha256' in checkCertificate(one)),
    requireSignedRequests: ['true', '1'].includes(role.getAttribute('AuthnRequestsSigned')),
    logoutUrl: logout,
    logoutBinding: logout === null ? null : responseLocation(role, POST) === null ? 'redirect' : 'post',
    backchannelLogoutUrl: locationOf(role, 'SingleLogoutService', SOAP),
  };
}

/** Returns the addresses by HTTP-POST, the default one first. */
function consumersOf(role: Element): Consumer[] {
  const services = childrenOf(role, METADATA, 'AssertionConsumerService')
    .filter((one) => one.getAttribute('Binding') === POST)
    .map((one) => ({
      url: one.getAttribute('Location'),
      index: Number(one.getAttribute('index')),
      isDefault: ['true', '1'].includes(one.getAttribute('isDefault')),
    }))
    .filter(({ url, index }) => url !== '' && Number.isInteger(index) && index >= 0 && index <= MAX_INDEX);
  const first = services.find(({ isDefault }) => isDefault) ?? services[0];
  return services
    .toSorted((one, other) => Number(other === first) - Number(one === first))
    .map(({ url, index }) => ({ url, index }));
}

/** Returns where responses go: some apps take them at another address than requests. */
function responseLocation(role: Element, binding: string): string | null {
  const service = childrenOf(role, METADATA, 'SingleLogoutService').find(
    (one) => one.getAttribute('Binding') === binding,
  );
  return service?.getAttribute('ResponseLocation') || locationOf(role, 'SingleLogoutService', binding);
}
