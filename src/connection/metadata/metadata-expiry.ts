/** Error of a connection whose metadata has expired, as administrators see it. */
export const METADATA_EXPIRED = 'metadata_expired';

/**
 * Whether the metadata of a provider has expired: nothing of it may be used any more, its keys
 * included (SAML Metadata section 2.3.2).
 */
export function hasExpiredMetadata(
  { metadataValidUntil: end }: { readonly metadataValidUntil: string | null },
  now = Date.now(),
): boolean {
  return end !== null && !(Date.parse(end) > now);
}
