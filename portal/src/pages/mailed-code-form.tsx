import type { ReactNode } from 'react';
import { ProblemError } from '@gatehouse/client';
import { text } from '../messages/index.ts';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';

/** Refusals of a wrong code: at the sign-in, and at a confirmation. */
const WRONG = ['invalid-credentials', 'invalid-second-factor'];

interface Props {
  /** Error of the last attempt. */
  readonly error: unknown;
  /** Code of the mailed link; null if the user enters it. */
  readonly code?: string | null;
  readonly onSubmit: (code: string) => void;
  /** The buttons. */
  readonly children: ReactNode;
}

/** Asks for the six digits of a mail. */
export function MailedCodeForm({ error, code = null, onSubmit, children }: Props) {
  const isWrong = error instanceof ProblemError && WRONG.includes(error.code);
  return (
    <Form
      error={error}
      onSubmit={(values) => onSubmit(String(values.get('code')).trim())}
      trouble={
        isWrong && (
          <Notice kind="bad" title={text('email-code.wrong.title')}>
            {text('email-code.wrong.text')}
          </Notice>
        )
      }
    >
      <TextField
        label={text('email-code.code')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={40}
        defaultValue={code ?? ''}
        isRequired
        autoFocus
        verbatim
      />
      {children}
    </Form>
  );
}
