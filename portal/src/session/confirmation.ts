import { useSyncExternalStore } from 'react';
import type { OnStepUp, StepUpNeeded } from '@gatehouse/client';

/** A command that waits for the user's confirmation. */
interface PendingConfirmation {
  readonly needed: StepUpNeeded;
  readonly end: (outcome: 'confirmed' | null) => void;
}

let pending: PendingConfirmation | null = null;
const listeners = new Set<() => void>();

function setPending(next: PendingConfirmation | null): void {
  pending = next;
  listeners.forEach((listener) => listener());
}

/** Opens the dialog, and waits until it closes. */
export const askToConfirm: OnStepUp = (needed) =>
  new Promise((resolve) => {
    const end: PendingConfirmation['end'] = (outcome) => {
      setPending(null);
      resolve(outcome);
    };
    setPending({ needed, end });
  });

/** Null if no command waits. */
export const usePendingConfirmation = (): PendingConfirmation | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pending,
  );
