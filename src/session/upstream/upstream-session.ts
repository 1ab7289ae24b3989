/**
 * What the provider of a connection calls a sign-in. Hashes are of values and connection under a
 * key, in hex, so that rows without the key tell nothing of the person.
 */
export interface UpstreamSession {
  readonly nameIdHash: string;
  /** Hash of the SessionIndex (SAML Core 2.7.2); null without one. */
  readonly sessionIndex: string | null;
  /** Hash of the `sid` of the ID token; null without one. */
  readonly oidcSid: string | null;
  /** The values, sealed, from which a request for a logout is made. */
  readonly sealed: string;
}

/** The upstream session of a session, by its connection. */
export interface EndedUpstream {
  readonly connectionId: string;
  readonly sealed: string;
}

/** Sessions that a provider ends. Values are hashes, under the current key and the previous one. */
export interface UpstreamMatch {
  readonly connectionId: string;
  /** Empty for any person. */
  readonly nameIdHashes: readonly string[];
  /** Empty for all sessions of the person. */
  readonly sessionIndexes: readonly string[];
  /** Empty for all sessions of the person. */
  readonly oidcSids: readonly string[];
}
