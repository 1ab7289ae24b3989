import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { MailedCommand } from './mailed-command.tsx';

/** Refuses a registration, by the link "This was not me" in its mail. */
export function RefuseRegistration() {
  return (
    <MailedCommand
      command="refuse-registration"
      ask={{
        title: text('refuse.title'),
        lead: text('refuse.lead'),
        submit: text('refuse.submit'),
        look: 'danger',
      }}
      done={{
        title: text('refuse.done.title'),
        lead: text('refuse.done.lead'),
        children: <Link href={PAGE_PATHS.home}>{text('go-home')}</Link>,
      }}
      expired={{
        lead: text('refuse.expired.lead'),
        children: (
          <>
            <p>{text('refuse.expired.text')}</p>
            <Link href={PAGE_PATHS.forgottenPassword} className="button primary">
              {text('refuse.expired.reset')}
            </Link>
          </>
        ),
      }}
    />
  );
}
