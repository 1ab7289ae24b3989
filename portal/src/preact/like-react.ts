import { options } from 'preact';
import 'preact/compat';

/** What React Aria reads of a keyboard event. */
const READ = [
  'altKey',
  'code',
  'ctrlKey',
  'currentTarget',
  'isComposing',
  'key',
  'metaKey',
  'repeat',
  'shiftKey',
  'target',
];

const descriptors = Object.fromEntries(
  READ.map((name) => [
    name,
    {
      enumerable: true,
      configurable: true,
      get(this: KeyboardEvent): unknown {
        return Reflect.get(KeyboardEvent.prototype, name, this);
      },
    },
  ]),
);

/**
 * Hook of Preact that is called after each commit. It is not documented, but Preact's own hooks are
 * built on it; none that is documented is called there. test/unit/preact-hooks.spec.ts fails with a
 * version that has none of this name.
 */
interface CommitHook {
  __c?(...commit: readonly unknown[]): void;
}

/** Makes Preact do what React Aria expects of React (ADR 18). */
export function behaveLikeReact(): void {
  completeKeyboardEvents();
  runEffectsAtCommit();
}

/**
 * Runs effects at the end of the update that caused them, before another one renders, as React does
 * after an event of the user. Otherwise a closed dialog still locks the page when the focus should
 * return to it, and a dialog takes the focus before its first field does.
 */
function runEffectsAtCommit(): void {
  const hooks = options as CommitHook;
  const { __c: previous } = hooks;
  let waiting: (() => void) | null = null;
  let isFirst = true;
  const run = () => {
    const effects = waiting;
    waiting = null;
    effects?.();
  };
  options.requestAnimationFrame = (effects) => {
    waiting = effects;
    if (!isFirst) queueMicrotask(run); // for those that no commit follows
  };
  hooks.__c = (...commit) => {
    previous?.(...commit);
    // After the first page in a task of their own, so that a slow phone answers a touch before it.
    if (isFirst) setTimeout(run);
    else run();
    isFirst = false;
  };
}

/**
 * Gives keyboard events properties of their own, as those of React have: React Aria copies an event
 * by `{ ...event }`, and the events of a browser inherit theirs.
 */
function completeKeyboardEvents(): void {
  const { event: previous } = options;
  options.event = (event) => {
    const complete: unknown = previous?.(event) ?? event;
    return complete instanceof KeyboardEvent ? Object.defineProperties(complete, descriptors) : complete;
  };
}
