import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { Form as Base } from 'react-aria-components';
import { ProblemError } from '@gatehouse/client';
import { sentence } from './explain.ts';
import { Trouble } from './notice.tsx';

interface Props {
  /** What the last attempt ended with; null where there was none, or it went well. */
  readonly error: unknown;
  readonly onSubmit: (values: FormData) => void;
  /** In place of the usual notice, for an error that has a better way on. */
  readonly trouble?: ReactNode;
  readonly children: ReactNode;
}

/** A form whose fields are named as the service names them, so that what it finds wrong stands where it belongs. */
export function Form({ error, onSubmit, trouble, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const violations = error instanceof ProblemError ? error.violations : [];
  const validationErrors = Object.fromEntries(
    violations.map(({ propertyPath, message }) => [fieldOf(propertyPath), sentence(message)]),
  );
  const shown = Object.keys(validationErrors).some((name) => form.current?.elements.namedItem(name));

  useEffect(() => {
    if (error === null) return;
    const wrong = form.current?.querySelector<HTMLElement>(
      'input[aria-invalid], [role="group"][data-invalid] input',
    );
    (wrong ?? notice.current)?.focus();
  }, [error]);

  useEffect(() => {
    const element = form.current;
    element?.addEventListener('change', waitForSubmission, true);
    element?.addEventListener('input', lookAgain);
    return () => {
      element?.removeEventListener('change', waitForSubmission, true);
      element?.removeEventListener('input', lookAgain);
    };
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Base className="form" ref={form} onSubmit={submit} validationErrors={validationErrors}>
      {error !== null && !shown && (trouble ?? <Trouble error={error} ref={notice} />)}
      {children}
    </Base>
  );
}

/*
 * The component library looks at a field when it is left (`change`). But a field is often left by pressing the button: a message that comes or
 * goes at that moment moves the button away from under the finger, and the press is lost. So messages come with the submission, and go while
 * the mistake is being mended.
 */
function waitForSubmission(event: Event): void {
  if (event.isTrusted) event.stopPropagation();
}

function lookAgain({ target: field }: Event): void {
  if (field instanceof HTMLInputElement && field.ariaInvalid === 'true')
    setTimeout(() => field.dispatchEvent(new Event('change'))); // once the text is in the state of the field
}

/** `roles[0]` is a matter of the field `roles`. */
const fieldOf = (propertyPath: string): string => propertyPath.replace(/\[.*$/, '');

/** The text of a field; nothing where it was left blank. */
export function textOf(values: FormData, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
