import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { explain } from '../../ui/explain.ts';
import { TextArea } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { keys, useRoles } from './organization-queries.ts';
import { RoleChoice } from './role-choice.tsx';

/** Addresses that are invited at once: below the service's limit of requests for a minute. */
const MAX = 50;
/** A word that ends as an address does. */
const MISTYPED = /^[^@]+\.[a-z]{2,}$/i;
/** Words that are shown of those left out: of a pasted table there are many. */
const MAX_WORDS = 3;

interface Batch {
  readonly emails: readonly string[];
  /** Addresses without their @: refused, and kept to be corrected. */
  readonly mistyped: readonly string[];
  readonly roles: string[];
}

interface Failure {
  readonly email: string;
  readonly code: string;
  readonly why: string;
}

/** Invites one or several addresses, pasted from wherever they are. */
export function InviteMembers({ tenantId, onClose }: { readonly tenantId: string; onClose: () => void }) {
  const { data: roles } = useRoles(tenantId);
  const say = useToast();
  const [typed, setTyped] = useState('');
  const [done, setDone] = useState(0);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const emails = addressesIn(typed);
  const mistyped = wordsIn(typed).filter((word) => MISTYPED.test(word));
  const invite = useMutation({
    mutationFn: async ({ emails: all, mistyped: wrong, roles: chosen }: Batch) => {
      setFailures([]);
      setDone(0);
      const failed = wrong.map((email): Failure => ({
        email,
        code: 'mistyped',
        why: text('invitations.no-at'),
      }));
      for (const email of all) {
        const failure = await inviteOne(tenantId, email, chosen);
        if (failure) failed.push(failure);
        else setDone((before) => before + 1);
        setTyped([...failed.map((one) => one.email), ...all.slice(all.indexOf(email) + 1)].join('\n'));
      }
      return failed;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.invitations(tenantId) }),
    onSuccess: (failed, { emails: all, mistyped: wrong }) => {
      const count = all.length + wrong.length - failed.length;
      const invited = all.find((one) => failed.every(({ email }) => email !== one));
      if (invited !== undefined) say(text('invitations.sent', { count, email: invited }));
      if (failed.length === 0) return onClose();
      setFailures(failed);
    },
  });
  return (
    <Dialog title={text('members.invite')} isOpen onClose={onClose}>
      <Form
        error={invite.error}
        onSubmit={(values) => invite.mutate({ emails, mistyped, roles: values.getAll('roles').map(String) })}
      >
        {failures.length > 0 && (
          <Notice kind="bad" title={titleOf(failures)}>
            <ul className="bullets">
              {failures.map(({ email, why }) => (
                <li key={email}>
                  {email}: {why}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <TextArea
          label={text('invitations.emails')}
          name="email"
          hint={text('invitations.emails.hint', { max: MAX })}
          value={typed}
          onChange={setTyped}
          validate={problemOf}
          isRequired
          autoFocus
        />
        <LeftOut typed={typed} />
        {roles && <RoleChoice roles={roles} />}
        {invite.isPending && invite.variables.emails.length > 1 && (
          <p role="status">{text('invitations.sending', { done, count: invite.variables.emails.length })}</p>
        )}
        <FormButtons
          submit={text('invitations.send', { count: emails.length })}
          isPending={invite.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Says which words are not invited: a mistyped address must not be lost in silence. */
function LeftOut({ typed }: { readonly typed: string }) {
  const words = wordsIn(typed).filter((word) => !word.includes('@') && !MISTYPED.test(word));
  const shown = words.slice(0, MAX_WORDS).join(', ') + (words.length > MAX_WORDS ? ', …' : '');
  return (
    <p role="status" className="soft small" hidden={words.length === 0}>
      {words.length > 0 && text('invitations.left-out', { count: words.length, words: shown })}
    </p>
  );
}

/** @returns null if the address is invited, else why it is not */
async function inviteOne(tenantId: string, email: string, roles: string[]): Promise<Failure | null> {
  try {
    await gatehouse.post('/api/v1/iam/tenants/{id}/invitations', {
      params: { path: { id: tenantId } },
      body: { email, roles },
    });
    return null;
  } catch (error) {
    const isOwn =
      error instanceof ProblemError && ['validation-error', 'conflict', 'forbidden'].includes(error.code);
    if (!isOwn) throw error; // nothing about this address: the rest would fail as well
    return { email, code: error.code, why: explain(error).text };
  }
}

function titleOf(failures: readonly Failure[]): string {
  return failures.every(({ code }) => code === 'conflict')
    ? text('invitations.already.title')
    : text('invitations.failed.title', { count: failures.length });
}

/** Finds what looks like an address, each once: of lists, and of the columns of a table. */
function addressesIn(typed: string): string[] {
  const found = wordsIn(typed).filter((word) => word.includes('@'));
  return [...new Map(found.map((email) => [email.toLowerCase(), email])).values()];
}

const wordsIn = (typed: string): string[] => typed.split(/[\s,;<>"]+/).filter((word) => word !== '');

function problemOf(typed: string): string | null {
  const count = addressesIn(typed).length;
  if (count === 0) return text('invitations.emails.none');
  return count > MAX ? text('invitations.emails.many', { max: MAX }) : null;
}
