import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMe } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Erases the account. */
export function Erasure() {
  const { data: me } = useMe();
  const [, navigate] = useLocation();
  const say = useToast();
  const [typed, setTyped] = useState('');
  const word = me?.email ?? 'erase';
  const erase = useMutation({
    mutationFn: async () => {
      await gatehouse.delete('/api/v1/iam/auth/account');
      await gatehouse.forget();
    },
    onSuccess: () => {
      navigate(PAGE_PATHS.signIn, { replace: true });
      say('Your account is erased. Farewell.');
    },
  });
  return (
    <Page title="Erase my account" lead="Everything that says who you are is removed, for good.">
      <Notice kind="care" title="What happens">
        <ul className="bullets">
          <li>You are signed out on all devices, and can no longer sign in.</li>
          <li>Your name, your addresses, your identities and your sessions are removed.</li>
          <li>
            You leave all organizations. Where you are the only owner, the longest-serving admin follows you;
            where there is none, the organization is archived.
          </li>
          <li>The erasure cannot be undone.</li>
        </ul>
      </Notice>
      <section className="sheet section danger" aria-label="Erase">
        <Form error={erase.error} onSubmit={() => erase.mutate()}>
          <TextField
            label={`To go on, type ${word}`}
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
            Erase my account
          </Button>
        </Form>
      </section>
    </Page>
  );
}
