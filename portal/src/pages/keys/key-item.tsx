import { text } from '../../messages/index.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { KeyDates } from './key-dates.tsx';
import { KeyName } from './key-name.tsx';

const DAY_MS = 86_400_000;
/** Days without a use after which a key is marked. */
const UNUSED_DAYS = 90;
/** Days before its end from which a key is marked: time to replace it on every machine. */
const ENDING_DAYS = 14;

/** What the keys of people and of service accounts have in common. */
interface Key {
  readonly name: string;
  readonly hint: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  /** Networks from which it is accepted, where it can be limited. */
  readonly networks?: readonly string[];
}

interface Props {
  readonly item: Key;
  /** Organization in which it acts, where a list has several. */
  readonly organization?: string;
  /** Why the organization refuses it, and what to do. */
  readonly refusal?: string | null;
  /** Command that revokes it; false where the user only reads. */
  readonly revoke:
    { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown } | false;
}

/** Shows a key with its age, last use and expiry, and revokes it. */
export function KeyItem({ item, organization, refusal = null, revoke }: Props) {
  const { name, createdAt, expiresAt, lastUsedAt, networks = [] } = item;
  const left = expiresAt === null ? Infinity : Date.parse(expiresAt) - Date.now();
  const isExpired = left <= 0;
  const daysLeft = Math.ceil(left / DAY_MS);
  const isUnused = Date.now() - Date.parse(lastUsedAt ?? createdAt) > UNUSED_DAYS * DAY_MS;
  return (
    <div className="item plain">
      <div className="what">
        <KeyName item={item}>
          {isExpired && <Badge kind="bad">{text('keys.expired')}</Badge>}
          {!isExpired && daysLeft <= ENDING_DAYS && (
            <Badge kind="care">{text('keys.ending', { days: daysLeft })}</Badge>
          )}
          {refusal !== null && !isExpired && <Badge kind="bad">{text('keys.refused')}</Badge>}
          {isUnused && !isExpired && <Badge>{text('keys.unused', { days: UNUSED_DAYS })}</Badge>}
        </KeyName>
        {organization !== undefined && <span className="soft small">{organization}</span>}
        {refusal !== null && !isExpired && <span className="small">{refusal}</span>}
        <KeyDates item={item} />
        {networks.length > 0 && (
          <span className="soft small">{text('keys.networks', { networks: networks.join(', ') })}</span>
        )}
      </div>
      {revoke && (
        <div className="end wraps">
          <ConfirmedButton
            action={text('keys.revoke')}
            label={text('keys.revoke-of', { name })}
            title={text('keys.revoke.title', { name })}
            command={revoke}
          >
            <p>{text('keys.revoke.text')}</p>
          </ConfirmedButton>
        </div>
      )}
    </div>
  );
}
