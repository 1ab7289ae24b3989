/** Addresses of this service for one client. Each client knows it as another provider. */
export interface ProviderAddresses {
  readonly entityId: string;
  readonly signIn: string;
  readonly logout: string;
}

/**
 * Returns the addresses for a client. The entity id is its own too: an assertion for a client of
 * one organization has another Issuer than one for the same app in another organization.
 */
export function addressesFor(publicUrl: string, clientId: string): ProviderAddresses {
  const base = `${publicUrl}/api/iam/saml/${clientId}`;
  return { entityId: `${base}/metadata`, signIn: `${base}/sso`, logout: `${base}/slo` };
}
