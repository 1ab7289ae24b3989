import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { text } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMe } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import { OnlyThePerson } from './only-the-person.tsx';

/** Erases the account. Not for an operator who acts as the person. */
export const Erasure = () =>
  acting === null ? (
    <EraseOwn />
  ) : (
    <Page title={text('nav.erasure')}>
      <OnlyThePerson />
    </Page>
  );

function EraseOwn() {
  const { data: me } = useMe();
  const [, navigate] = useLocation();
  const say = useToast();
  const [typed, setTyped] = useState('');
  const word = me?.email ?? text('erasure.word');
  const erase = useMutation({
    mutationFn: async () => {
      await gatehouse.delete('/api/v1/iam/auth/account');
      await gatehouse.forget();
    },
    onSuccess: () => {
      navigate(PAGE_PATHS.signIn, { replace: true });
      say(text('erasure.done'));
    },
  });
  return (
    <Page title={text('nav.erasure')} lead={text('erasure.lead')}>
      <Notice kind="care" title={text('erasure.what')}>
        <ul className="bullets">
          <li>{text('erasure.signed-out')}</li>
          <li>{text('erasure.removed')}</li>
          <li>{text('erasure.organizations')}</li>
          <li>{text('erasure.final')}</li>
        </ul>
      </Notice>
      <section className="sheet section danger" aria-label={text('nav.erasure')}>
        <Form error={erase.error} onSubmit={() => erase.mutate()}>
          <TextField
            label={text('erasure.type', { word })}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            verbatim
            isRequired
          />
          <Button
            type="submit"
            look="danger"
            isDisabled={me === undefined || typed.trim().toLowerCase() !== word.toLowerCase()}
            isPending={erase.isPending}
          >
            {text('erasure.submit')}
          </Button>
        </Form>
      </section>
    </Page>
  );
}
