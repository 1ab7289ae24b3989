import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedToken } from '../session/mailed-token.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { isSpent } from './verify-email.tsx';

type Command = 'confirm-email' | 'undo-email' | 'refuse-registration' | 'cancel-authenticator-reset';

interface State {
  readonly title: string;
  readonly lead: string;
  readonly children?: ReactNode;
}

interface Props {
  readonly command: Command;
  /** Before the command; `children` stand below its button. */
  readonly ask: State & { readonly submit: string; readonly look: 'primary' | 'danger' };
  readonly done: State;
  /** The link has expired, is used or incomplete. */
  readonly expired: Omit<State, 'title'>;
  readonly onDone?: () => unknown;
}

/**
 * Page of a command by a mailed link. Requires a button press, because programs that scan mails
 * open links.
 */
export function MailedCommand({ command, ask, done, expired, onDone }: Props) {
  const [token] = useState(mailedToken);
  const run = useMutation({
    mutationFn: (mailed: string) =>
      gatehouse.post(`/api/v1/iam/auth/${command}`, { body: { token: mailed } }),
    onSuccess: () => onDone?.(),
  });
  if (run.isSuccess) return <Shown {...done} />;
  if (token === null || isSpent(run.error)) return <Shown title={text('link-expired')} {...expired} />;
  return (
    <Shown title={ask.title} lead={ask.lead}>
      {run.error && <ErrorNotice error={run.error} />}
      <Button look={ask.look} isPending={run.isPending} onPress={() => run.mutate(token)}>
        {ask.submit}
      </Button>
      {ask.children}
    </Shown>
  );
}

function Shown({ title, lead, children }: State) {
  return (
    <SignInFrame>
      <Sheet title={title} lead={lead}>
        {children}
      </Sheet>
    </SignInFrame>
  );
}
