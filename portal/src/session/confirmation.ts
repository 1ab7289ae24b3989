import { useSyncExternalStore } from 'react';
import type { OnStepUp, StepUpNeeded } from '@gatehouse/client';

/** A command that waits for the person to confirm who they are. */
interface Waiting {
  readonly needed: StepUpNeeded;
  readonly end: (outcome: 'confirmed' | null) => void;
}

let waiting: Waiting | null = null;
const listeners = new Set<() => void>();

function become(next: Waiting | null): void {
  waiting = next;
  listeners.forEach((listener) => listener());
}

/** Opens the dialog, and waits for its end. */
export const askToConfirm: OnStepUp = (needed) =>
  new Promise((resolve) => {
    const end: Waiting['end'] = (outcome) => {
      become(null);
      resolve(outcome);
    };
    become({ needed, end });
  });

/** Null where no command waits. */
export const useWaiting = (): Waiting | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
