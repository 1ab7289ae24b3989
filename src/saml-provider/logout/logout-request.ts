import type { Element } from '@xmldom/xmldom';
import {
  ASSERTION,
  attributeOf,
  checkWindow,
  childrenOf,
  demand,
  onlyChild,
  PROTOCOL,
  textOf,
} from '../../external-identity/index.js';
import type { SamlSettings } from '../clients/saml-client.js';

/** Indexes of one request. Apps send one, for the session that ends. */
const MAX_INDEXES = 20;
const MAX_NAME = 500;

/** Whose sessions an app ends. */
export interface AskedLogout {
  readonly nameId: string;
  /** Empty for all sessions of the person at this app. */
  readonly indexes: readonly string[];
}

/**
 * Reads a request for a logout (SAML Core 3.7.1), whose signature and issuer have been checked.
 * @param issuer this service, as the app knows it
 * @throws {SamlRefusal}
 */
export function readLogout(
  root: Element,
  { entityId }: SamlSettings,
  issuer: string,
  now: number,
): AskedLogout {
  const end = attributeOf(root, 'NotOnOrAfter');
  if (end !== null) checkWindow(null, end, now, 'SAML-18');
  const nameId = onlyChild(root, ASSERTION, 'NameID', 'SAML-18');
  // Apps that leave a qualifier out mean themselves; some send an empty one.
  const [by, at] = ['NameQualifier', 'SPNameQualifier'].map((name) => attributeOf(nameId, name) || null);
  demand(by === null || by === issuer, 'SAML-18', 'the NameID is of another provider');
  demand(at === null || at === entityId, 'SAML-18', 'the NameID is for another app');
  const value = textOf(nameId, 'SAML-18');
  demand(value !== '' && value.length <= MAX_NAME, 'SAML-18', 'the NameID is empty or too long');
  const indexes = childrenOf(root, PROTOCOL, 'SessionIndex').map((one) => textOf(one, 'SAML-18'));
  demand(indexes.length <= MAX_INDEXES, 'SAML-18', 'it has too many indexes');
  return { nameId: value, indexes };
}
