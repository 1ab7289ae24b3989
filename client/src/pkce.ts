/** A verifier, which stays here, and its challenge, which travels (RFC 7636, S256). */
export async function newPkce(): Promise<{ codeVerifier: string; codeChallenge: string }> {
  const codeVerifier = randomText();
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  return { codeVerifier, codeChallenge: base64url(new Uint8Array(hash)) };
}

/** 256 random bits in 43 characters. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
