import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { MailedCommand } from './mailed-command.tsx';
import { MailboxHint } from './resend.tsx';

/** Restores a former address by the link mailed to it. */
export function UndoEmail() {
  return (
    <MailedCommand
      command="undo-email"
      ask={{
        title: text('undo-email.title'),
        lead: text('undo-email.lead'),
        submit: text('undo-email.submit'),
        look: 'danger',
      }}
      done={{
        title: text('undo-email.done.title'),
        lead: text('undo-email.done.lead'),
        children: (
          <>
            <p>{text('forgot.once')}</p>
            <MailboxHint />
          </>
        ),
      }}
      expired={{
        lead: text('undo-email.expired.lead'),
        children: (
          <Link href={PAGE_PATHS.signIn} className="button primary">
            {text('sign-in')}
          </Link>
        ),
      }}
    />
  );
}
