import type { ReactNode } from 'react';

/**
 * Four colours, on light and dark alike (Google Identity, "Sign in with Google branding
 * guidelines").
 */
const GOOGLE = (
  <g fill="none" strokeWidth="4.4">
    <path stroke="#ea4335" d="M18.2 6.6A8.4 8.4 0 0 0 4.5 8.2" />
    <path stroke="#fbbc05" d="M4.5 8.2A8.4 8.4 0 0 0 4.5 15.8" />
    <path stroke="#34a853" d="M4.5 15.8A8.4 8.4 0 0 0 17.6 18.2" />
    <path stroke="#4285f4" strokeMiterlimit="10" d="M17.6 18.2A8.4 8.4 0 0 0 20.3 12.2H12.2" />
  </g>
);

/** The shapes of Apple and Facebook are those of Simple Icons (CC0). */
const APPLE = (
  <path
    fill="currentColor"
    d="M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701"
  />
);
const FACEBOOK = (
  <path
    fill="#1877f2"
    d="M9.101 23.691v-7.98H6.627v-3.667h2.474v-1.58c0-4.085 1.848-5.978 5.858-5.978.401 0 .955.042 1.468.103a8.68 8.68 0 0 1 1.141.195v3.325a8.623 8.623 0 0 0-.653-.036 26.805 26.805 0 0 0-.733-.009c-.707 0-1.259.096-1.675.309a1.686 1.686 0 0 0-.679.622c-.258.42-.374.995-.374 1.752v1.297h3.919l-.386 2.103-.287 1.564h-3.246v8.245C19.396 23.238 24 18.179 24 12.044c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.628 3.874 10.35 9.101 11.647Z"
  />
);
const KEY = (
  <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
    <circle cx="8" cy="15" r="4.5" />
    <path d="m11.5 11.5 8-8M15.5 7.5l3 3" />
  </g>
);

const LOGOS: Readonly<Partial<Record<string, ReactNode>>> = {
  google_oauth: GOOGLE,
  apple_oauth: APPLE,
  facebook_oauth: FACEBOOK,
};

/** Logo of a provider; a key for one without. Hidden from screen readers: its name is beside it. */
export const ProviderLogo = ({ kind }: { readonly kind: string }) => (
  <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
    {LOGOS[kind] ?? KEY}
  </svg>
);
