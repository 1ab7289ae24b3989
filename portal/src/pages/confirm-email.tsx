import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { queryClient } from '../session/queries.ts';
import { MailedCommand } from './mailed-command.tsx';

/** Confirms a new address by the link mailed to it. */
export function ConfirmEmail() {
  return (
    <MailedCommand
      command="confirm-email"
      ask={{
        title: text('confirm-email.title'),
        lead: text('confirm-email.lead'),
        submit: text('confirm-email.submit'),
        look: 'primary',
        children: <p className="soft">{text('confirm-email.not-me')}</p>,
      }}
      done={{
        title: text('confirm-email.done.title'),
        lead: text('confirm-email.done.lead'),
        children: (
          <Link href={PAGE_PATHS.home} className="button primary">
            {text('go-home')}
          </Link>
        ),
      }}
      expired={{
        lead: text('confirm-email.expired.lead'),
        children: (
          <Link href={PAGE_PATHS.profile} className="button primary">
            {text('nav.profile')}
          </Link>
        ),
      }}
      onDone={() => queryClient.invalidateQueries({ queryKey: ['me'] })}
    />
  );
}
