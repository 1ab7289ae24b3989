import {
  canSuggestPasskeys,
  getPasskey,
  ProblemError,
  signalUnknownPasskey,
  type PasskeyProof,
} from '@gatehouse/client';
import { gatehouse } from './gatehouse.ts';

/** Pause after the first failed request for options. Twice as long after each further one. */
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;

/** A passkey that the user has chosen; `signIn` presents it to the service. */
interface ChosenPasskey {
  readonly signIn: () => Promise<void>;
}

/** Whether the user has cancelled, or the browser has no passkey that fits. */
export const isPasskeyDeclined = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Lets the user choose a passkey of this browser. */
export async function choosePasskey(): Promise<ChosenPasskey> {
  const options = await getOptions();
  return chosen(options.publicKey, await getPasskey(options));
}

/**
 * Suggests passkeys in the field of the address, with new options whenever they expire. Continues
 * when the service can be reached again.
 * @returns the passkey; null in browsers that do not suggest them, and after the signal
 */
export async function suggestPasskeys(signal: AbortSignal): Promise<ChosenPasskey | null> {
  if (!(await canSuggestPasskeys())) return null;
  while (!signal.aborted) {
    const options = await getOptionsInTime(signal);
    const expiry = AbortSignal.timeout(options.expiresInSeconds * 1_000);
    try {
      const proof = await getPasskey(options, {
        mediation: 'conditional',
        signal: AbortSignal.any([signal, expiry]),
      });
      return chosen(options.publicKey, proof);
    } catch (error) {
      if (!expiry.aborted) throw error;
    }
  }
  return null;
}

/** Gets options, and tries again after failures until the signal. */
async function getOptionsInTime(signal: AbortSignal): ReturnType<typeof getOptions> {
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await getOptions(signal);
    } catch (error) {
      await pause(pauseMs, signal);
      if (signal.aborted) throw error;
    }
  }
}

/** Waits until the time is over, the browser is back online, or the signal. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal.aborted ? 0 : ms);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });

const getOptions = async (signal?: AbortSignal) =>
  (await gatehouse.post('/api/v1/iam/auth/passkeys/options', { body: {}, ...(signal && { signal }) })).data;

const chosen = (publicKey: Readonly<Record<string, unknown>>, proof: PasskeyProof): ChosenPasskey => ({
  signIn: async () => {
    try {
      await gatehouse.signInWithPasskey(proof);
    } catch (error) {
      if (error instanceof ProblemError && error.credentialKnown === false)
        await signalUnknownPasskey(String(publicKey['rpId']), String(proof.credential['id']));
      throw error;
    }
  },
});
