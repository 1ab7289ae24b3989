import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { MailboxHint } from '../resend.tsx';
import { inBackground } from '../../session/in-background.ts';

const KEY = ['email-change'];
const PATH = '/api/v1/iam/me/email-change';

type Change = components['schemas']['EmailChangeResponse'];

const reload = () => queryClient.invalidateQueries({ queryKey: KEY });

/** Asks for a new address, which is confirmed by a mailed link, and cancels a change that waits. */
export function ChangeAddress() {
  const change = useQuery({ queryKey: KEY, queryFn: async () => (await gatehouse.get(PATH)).data });
  return (
    <section className="sheet section" aria-labelledby="change-address">
      <h2 id="change-address">{text('change-email')}</h2>
      {change.error && <ErrorNotice error={change.error} onRetry={() => inBackground(change.refetch())} />}
      {change.isPending && <Skeleton label={text('change-email.loading')} rows={1} />}
      {change.data && <Way change={change.data} />}
    </section>
  );
}

function Way({ change: { pending, managedByDirectory } }: { readonly change: Change }) {
  return (
    <>
      {pending && <Pending {...pending} />}
      {managedByDirectory ? <p>{text('change-email.managed')}</p> : <NewAddress />}
    </>
  );
}

function Pending({ email, expiresAt }: NonNullable<Change['pending']>) {
  const say = useToast();
  const cancel = useMutation({
    mutationFn: () => gatehouse.delete(PATH),
    onSuccess: () => say(text('change-email.cancelled')),
    onSettled: reload, // also after 404: it was confirmed or has expired
  });
  return (
    <Notice title={text('change-email.waits')}>
      <p>{rich('change-email.waits.text', { email, until: () => <Time value={expiresAt} /> })}</p>
      <MailboxHint />
      {cancel.error && <ErrorNotice error={cancel.error} />}
      <p>
        <Button small isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          {text('change-email.cancel')}
        </Button>
      </p>
    </Notice>
  );
}

function NewAddress() {
  const [done, setDone] = useState(0); // a new key resets the form after success
  const change = useMutation({
    mutationFn: (email: string) => gatehouse.put('/api/v1/iam/me/email', { body: { email } }),
    onSuccess: async () => {
      setDone(done + 1);
      await reload();
    },
  });
  return (
    <>
      <p className="soft">{text('change-email.lead')}</p>
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
    </>
  );
}
