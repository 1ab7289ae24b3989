import { useEffect, useMemo, useRef, type FormEvent, type ReactNode } from 'react';
import { Form as Base } from 'react-aria-components';
import { ProblemError } from '@gatehouse/client';
import { sentence } from './explain.ts';
import { ErrorNotice } from './notice.tsx';

interface Props {
  /** Error of the last attempt; null before it and after success. */
  readonly error: unknown;
  readonly onSubmit: (values: FormData, form: HTMLFormElement) => void;
  /** Replaces the usual notice, for an error that the user can resolve. */
  readonly trouble?: ReactNode;
  readonly children: ReactNode;
}

/** A form whose fields have the service's names, so that violations appear at their fields. */
export function Form({ error, onSubmit, trouble, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  // The same object until the next attempt: another one would show corrected errors again.
  const validationErrors = useMemo(() => errorsOf(error), [error]);
  const shown = Object.keys(validationErrors).some((name) => form.current?.elements.namedItem(name));

  useEffect(() => {
    if (error === null) return;
    const wrong = form.current?.querySelector<HTMLElement>(
      'input[aria-invalid], textarea[aria-invalid], [role="group"][data-invalid] input',
    );
    (wrong ?? notice.current)?.focus();
  }, [error]);

  useEffect(() => {
    const element = form.current;
    element?.addEventListener('change', deferValidation, true);
    element?.addEventListener('input', validateAgain);
    element?.addEventListener('invalid', unfoldFirst, true);
    return () => {
      element?.removeEventListener('change', deferValidation, true);
      element?.removeEventListener('input', validateAgain);
      element?.removeEventListener('invalid', unfoldFirst, true);
    };
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget), event.currentTarget);
  };
  return (
    <Base className="form" ref={form} onSubmit={submit} validationErrors={validationErrors}>
      {error !== null && !shown && (trouble ?? <ErrorNotice error={error} ref={notice} />)}
      {children}
    </Base>
  );
}

/*
 * Defers validation. The component library validates a text field when it loses focus (`change`),
 * often by a press of the button: a message that appears then moves the button away from the
 * pointer, and the press is lost. So messages appear at submission, and disappear while the field
 * is corrected. The `change` of a checkbox or radio button selects it, by the keyboard.
 */
function deferValidation(event: Event): void {
  if (event.isTrusted && !isChoice(event.target)) event.stopPropagation();
}

function isChoice(field: EventTarget | null): boolean {
  return field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');
}

function validateAgain({ target: field }: Event): void {
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  if (isText && field.ariaInvalid === 'true') setTimeout(() => field.dispatchEvent(new Event('change'))); // after the field's state has the text
}

/** Unfolds the first invalid field, which gets the focus: a closed disclosure keeps it out. */
function unfoldFirst({ target: field }: Event): void {
  if (!(field instanceof HTMLInputElement)) return;
  const around = field.closest('details');
  if (around && field === field.form?.querySelector('input:invalid, textarea:invalid')) around.open = true;
}

/** Returns the violations of an error, by field. */
function errorsOf(error: unknown): Record<string, string> {
  const violations = error instanceof ProblemError ? error.violations : [];
  return Object.fromEntries(
    violations.map(({ propertyPath, message }) => [fieldOf(propertyPath), sentence(message)]),
  );
}

/** Returns the field of a path: `roles` for `roles[0]`. */
const fieldOf = (propertyPath: string): string => propertyPath.replace(/\[.*$/, '');

/** Returns the text of a field; undefined if it is blank. */
export function textOf(values: FormData, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
