import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MailboxHint } from '../resend.tsx';

/** Asks for a new address, which is confirmed by a mailed link. */
export function ChangeAddress() {
  const [done, setDone] = useState(0); // a new key resets the form after success
  const change = useMutation({
    mutationFn: (email: string) => gatehouse.put('/api/v1/iam/me/email', { body: { email } }),
    onSuccess: () => setDone(done + 1),
  });
  return (
    <section className="sheet section" aria-labelledby="change-address">
      <h2 id="change-address">{text('change-email')}</h2>
      <p className="soft">{text('change-email.lead')}</p>
      {change.isSuccess && (
        <Notice kind="good" title={text('check-your-mail')}>
          <p>{text('change-email.sent', { email: change.variables })}</p>
          <MailboxHint />
        </Notice>
      )}
      <Form key={done} error={change.error} onSubmit={(values) => change.mutate(String(values.get('email')))}>
        <TextField
          label={text('change-email.new')}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          isRequired
        />
        <Button type="submit" isPending={change.isPending}>
          {text('change-email.submit')}
        </Button>
      </Form>
    </section>
  );
}
