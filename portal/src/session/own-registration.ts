const KEY = 'gatehouse.registered';
/** Lifetime of a registration in the service. */
const LIFETIME_MS = 86_400_000;

interface Note {
  /** Hash of the address, so that the address itself is not stored on a shared computer. */
  readonly address: string;
  readonly until: number;
  /** Request of an app to continue with after the verification. */
  readonly next?: string;
}

/**
 * Remembers which address was registered in this browser, so that its verification link does not
 * ask for the password. Compares the address, not only the browser: a link may belong to an
 * attacker's registration of another address.
 */
export const ownRegistration = {
  /** Stores nothing without a secure context or storage; the link then asks for the password. */
  async note(email: string, next: string | null): Promise<void> {
    const address = await digest(canonical(email)).catch(() => null);
    if (address === null) return;
    const note: Note = { address, until: Date.now() + LIFETIME_MS, ...(next !== null && { next }) };
    try {
      localStorage.setItem(KEY, JSON.stringify(note));
    } catch {
      // blocked or full
    }
  },

  /** @param fingerprint the parameter `for` of the link */
  async isOf(token: string, fingerprint: string | null): Promise<boolean> {
    const { address, until = 0 } = readNote();
    if (address === undefined || fingerprint === null || until < Date.now()) return false;
    const own = await digest(`${token}.${address}`).catch(() => null);
    return own?.slice(0, fingerprint.length) === fingerprint && fingerprint.length === 22;
  },

  /** The request of an app for which the user has registered. */
  next: (): string | null => readNote().next ?? null,

  drop(): void {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // blocked
    }
  },
};

function readNote(): Partial<Note> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Note>;
  } catch {
    return {};
  }
}

/** Normalizes an address as the service does: lower case, the domain in ASCII. */
export function canonical(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at).toLowerCase()}@${new URL(`http://${email.slice(at + 1)}`).hostname}`;
}

/** Returns SHA-256 in base64url. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
