import { parseStrictly, readDocument } from '../checks/saml-document.js';
import { requireSigned } from '../checks/saml-forgery.js';
import { demand } from '../checks/saml-refusal.js';
import { checkIssuer, checkVersion } from '../checks/saml-response.js';
import { hasSignature, requireForm } from '../checks/saml-structure.js';
import { readNameId } from '../checks/saml-subject.js';
import { checkIssued, checkWindow, MAX_AGE_MS, SKEW_MS } from '../checks/saml-times.js';
import { attributeOf, childrenOf, PROTOCOL, textOf } from '../checks/saml-xml.js';
import type { SamlConnection } from '../saml-connection.js';
import type { Delivery } from '../../delivery.js';
import { readRedirected } from './saml-redirect.js';

/** An ID is kept as a hash; a longer one is no ID of a provider. */
const MAX_ID = 256;
/** Indexes of one request. Providers send one, for the session that ends. */
const MAX_INDEXES = 20;

/** A request by which a provider ends sessions. */
export interface LogoutRequest {
  readonly id: string;
  readonly subject: string;
  /** Empty for all sessions of the person. */
  readonly sessionIndexes: readonly string[];
  /** Time until which it would be accepted. */
  readonly until: Date;
  readonly relayState: string | null;
}

/**
 * Reads a request for a logout and checks it, in this order (SAML-17): signature by a certificate
 * of the connection, form, issuer, destination, times, NameID.
 * @param address at which it must have arrived
 * @throws {SamlRefusal}
 */
export async function readLogoutRequest(
  delivery: Delivery,
  connection: SamlConnection,
  address: string,
  now: number,
): Promise<LogoutRequest> {
  const { root, relayState } =
    'search' in delivery
      ? readByRedirect(delivery.search, connection)
      : await readByForm(delivery.form, connection);
  requireForm(root, 'LogoutRequest');
  checkIssuer(root, connection);
  demand(attributeOf(root, 'Destination') === address, 'SAML-7', 'it is for another destination');
  checkVersion(root, 'SAML-17');
  const issued = checkIssued(attributeOf(root, 'IssueInstant'), now, 'LogoutRequest');
  const end = attributeOf(root, 'NotOnOrAfter');
  const validUntil = end === null ? Infinity : checkWindow(null, end, now, 'SAML-17');
  const id = attributeOf(root, 'ID') ?? '';
  demand(id !== '' && id.length <= MAX_ID, 'SAML-17', 'it has no ID');
  const indexes = childrenOf(root, PROTOCOL, 'SessionIndex').map((one) => textOf(one, 'SAML-17'));
  demand(indexes.length <= MAX_INDEXES, 'SAML-17', 'it has too many indexes');
  return {
    id,
    subject: readNameId(root, connection, 'SAML-17').value,
    sessionIndexes: indexes,
    until: new Date(Math.min(validUntil, issued + MAX_AGE_MS) + SKEW_MS),
    relayState,
  };
}

function readByRedirect(search: string, { certificates }: SamlConnection) {
  const { xml, relayState } = readRedirected(search, 'SAMLRequest', certificates);
  const { root } = parseStrictly(xml);
  demand(!hasSignature(root), 'SAML-17', 'it is signed twice');
  return { root, relayState };
}

async function readByForm(
  { SAMLRequest: encoded = '', RelayState: relayState }: Readonly<Record<string, string>>,
  { certificates }: SamlConnection,
) {
  const { root } = readDocument(encoded);
  requireForm(root, 'LogoutRequest');
  await requireSigned(root, certificates);
  return { root, relayState: relayState ?? null };
}
