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

/** Makes Preact do what React Aria expects of React (ADR 38). */
export function behaveLikeReact(): void {
  completeKeyboardEvents();
  // Effects run at the end of an update: a closed dialog has to unlock the page before the focus
  // returns to it, in the next frame.
  options.requestAnimationFrame = queueMicrotask;
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
