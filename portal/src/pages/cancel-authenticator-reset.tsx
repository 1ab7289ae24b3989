import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { queryClient } from '../session/queries.ts';
import { MailedCommand } from './mailed-command.tsx';

/** Cancels the removal of second factors, by the link in its mail. */
export function CancelAuthenticatorReset() {
  const changePassword = (
    <Link href={PAGE_PATHS.forgottenPassword} className="button primary">
      {text('cancel-reset.password')}
    </Link>
  );
  return (
    <MailedCommand
      command="cancel-authenticator-reset"
      ask={{
        title: text('cancel-reset.title'),
        lead: text('cancel-reset.lead'),
        submit: text('cancel-reset.submit'),
        look: 'primary',
      }}
      done={{
        title: text('cancel-reset.done.title'),
        lead: text('cancel-reset.done.lead'),
        children: changePassword,
      }}
      expired={{ lead: text('cancel-reset.expired.lead'), children: changePassword }}
      onDone={() => queryClient.invalidateQueries({ queryKey: ['authenticators'] })}
    />
  );
}
