import { isClientUrl } from '../documents/client-document.js';
import { textField } from '../../platform/api/index.js';

export const CLIENT_LOGO_URL = textField({
  max: 200,
  pattern: '^/api/v1/iam/auth/client-logos/[A-Za-z0-9-]{3,64}/[0-9a-f]{64}$',
  description: 'Path of the copy of the logo on this service; null until it has been fetched from `logoUri`.',
  example: `/api/v1/iam/auth/client-logos/help-centre/${'0123456789abcdef'.repeat(4)}`,
});

/** Returns the path of the copy of a logo. It names the content: it can be cached forever. */
export function clientLogoUrlOf(client: {
  readonly id: string;
  readonly clientId: string;
  readonly logoHash: string | null;
}): string | null {
  const { id, clientId, logoHash } = client;
  // The id of a client by metadata is a URL.
  const name = isClientUrl(clientId) ? id : clientId;
  return logoHash === null ? null : `/api/v1/iam/auth/client-logos/${name}/${logoHash}`;
}
