const KEY = 'gatehouse.registered';
/** As long as the service keeps a registration. */
const LIFETIME_MS = 86_400_000;

interface Note {
  /** The hash of the address, so that the address itself does not stay on a shared computer. */
  readonly address: string;
  readonly until: number;
}

/**
 * Whether a verification link is about an address that was registered in this browser: then nobody needs to be asked for the
 * password. The address counts and not the browser alone, as a link may belong to an attacker's registration of another address.
 */
export const ownRegistration = {
  /** Without a secure context or storage nothing is noted, and the password is asked for. */
  async note(email: string): Promise<void> {
    const address = await digest(canonical(email)).catch(() => null);
    if (address === null) return;
    const note: Note = { address, until: Date.now() + LIFETIME_MS };
    try {
      localStorage.setItem(KEY, JSON.stringify(note));
    } catch {
      // blocked or full
    }
  },

  /** @param fingerprint what the link has as `for` */
  async isOf(token: string, fingerprint: string | null): Promise<boolean> {
    const { address, until = 0 } = readNote();
    if (address === undefined || fingerprint === null || until < Date.now()) return false;
    const own = await digest(`${token}.${address}`).catch(() => null);
    return own?.slice(0, fingerprint.length) === fingerprint && fingerprint.length === 22;
  },

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

/** As the service compares addresses: lower case, the domain in its ASCII form. */
function canonical(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at).toLowerCase()}@${new URL(`http://${email.slice(at + 1)}`).hostname}`;
}

/** SHA-256 in base64url. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
