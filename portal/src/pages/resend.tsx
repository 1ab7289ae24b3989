import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { configuration } from '../session/configuration.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { explain } from '../ui/explain.ts';

interface Props {
  readonly email: string;
  /** Invitation to which the link leads back. */
  readonly invitationToken?: string | null | undefined;
}

/** Requests the verification mail again. */
export const requestVerification = ({ email, invitationToken }: Props) =>
  gatehouse.post('/api/v1/iam/auth/resend-verification', {
    body: { email, ...(typeof invitationToken === 'string' && { invitation: invitationToken }) },
  });

/**
 * Sends the verification mail again. The service does not tell whether the address awaits
 * verification.
 */
export function Resend(props: Props) {
  const resend = useMutation({ mutationFn: () => requestVerification(props) });
  const { error, isSuccess } = resend;
  return (
    <div className="row">
      <Button small isPending={resend.isPending} onPress={() => resend.mutate()}>
        {text('resend.send')}
      </Button>
      <span role="status">
        {isSuccess && text('resend.sent')}
        {error && `${explain(error).title}. ${explain(error).text}`}
      </span>
    </div>
  );
}

/** Link to the mailbox of local development. */
export const MailboxHint = () =>
  configuration.mailbox && (
    <p className="small soft">
      {rich('mailbox.hint', { link: (inside) => <Link href={PAGE_PATHS.mailbox}>{inside}</Link> })}
    </p>
  );
