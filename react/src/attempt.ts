'use client';

import { useCallback, useRef, useState } from 'react';

/** Progress of attempts at one thing. */
export interface Progress {
  readonly isPending: boolean;
  /** Error of the last attempt, to show at the form. */
  readonly error: unknown;
}

/** Runs attempts and keeps the progress of the latest one. */
export function useAttempt(): Progress & {
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
} {
  const [progress, setProgress] = useState<Progress>({ isPending: false, error: null });
  const latest = useRef(0);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    const own = (latest.current += 1);
    const set = (next: Progress) => own === latest.current && setProgress(next);
    set({ isPending: true, error: null });
    try {
      await work();
      set({ isPending: false, error: null });
      return true;
    } catch (error) {
      set({ isPending: false, error });
      return false;
    }
  }, []);
  return { ...progress, run };
}
