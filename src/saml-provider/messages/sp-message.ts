import type { Element } from '@xmldom/xmldom';
import {
  attributeOf,
  checkIssued,
  checkIssuer,
  checkVersion,
  demand,
  type Delivery,
  hasSignature,
  parseStrictly,
  readDocument,
  readRedirected,
  requireForm,
  requireSigned,
} from '../../external-identity/index.js';
import type { SamlSettings } from '../clients/saml-client.js';

/** An ID is stored as a hash; a longer one is no ID of an app. */
const MAX_ID = 256;

/** A message of an app, of which form, signature, issuer, destination and age are checked. */
export interface SpMessage {
  readonly root: Element;
  readonly id: string;
  readonly relayState: string | null;
  readonly isSigned: boolean;
}

/** What is expected of a message. */
interface Expected {
  readonly name: 'AuthnRequest' | 'LogoutRequest';
  /** Address at which it must have arrived. */
  readonly address: string;
  readonly mustBeSigned: boolean;
}

/**
 * Reads a message of an app. A signature is verified if there is one and the app has certificates:
 * one by an unknown key is no better than none.
 * @param now in milliseconds
 * @throws {SamlRefusal}
 */
export async function readSpMessage(
  delivery: Delivery,
  { certificates, entityId }: Pick<SamlSettings, 'certificates' | 'entityId'>,
  { name, address, mustBeSigned }: Expected,
  now: number,
): Promise<SpMessage> {
  const isSignedAddress = 'search' in delivery && /[?&]Signature=/.test(delivery.search);
  const mayVerify = mustBeSigned || certificates.length > 0;
  const { root, relayState } = read(delivery, isSignedAddress && mayVerify ? certificates : null);
  requireForm(root, name);
  const isSignedXml = hasSignature(root);
  demand(!isSignedAddress || !isSignedXml, 'SAML-17', 'it is signed twice');
  const isSigned = mustBeSigned || (mayVerify && (isSignedAddress || isSignedXml));
  // Some libraries sign the XML of a redirect too (Bindings 3.4.4.1), which proves as much.
  if (isSigned && !isSignedAddress) await requireSigned(root, certificates);
  checkIssuer(root, { idpIssuer: entityId });
  checkVersion(root, 'SAML-17');
  // A signed message that names no destination could be one for another service (Bindings 3.4.5.2).
  const destination = attributeOf(root, 'Destination');
  demand(
    destination === address || (destination === null && !isSigned),
    'SAML-7',
    'it is for another destination',
  );
  checkIssued(attributeOf(root, 'IssueInstant'), now, name);
  const id = attributeOf(root, 'ID') ?? '';
  demand(id !== '' && id.length <= MAX_ID, 'SAML-17', 'it has no ID');
  return { root, id, relayState, isSigned };
}

/** @param certificates that verify the signature of the address; null if it has none */
function read(
  delivery: Delivery,
  certificates: readonly string[] | null,
): Pick<SpMessage, 'root' | 'relayState'> {
  if ('search' in delivery) {
    const { xml, relayState } = readRedirected(delivery.search, 'SAMLRequest', certificates);
    return { ...parseStrictly(xml), relayState };
  }
  const { SAMLRequest = '', RelayState = null } = delivery.form;
  return { ...readDocument(SAMLRequest), relayState: RelayState };
}
