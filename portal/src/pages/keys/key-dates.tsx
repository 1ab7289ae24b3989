import { rich, text } from '../../messages/index.ts';
import { Time } from '../../ui/time.tsx';

interface Props {
  readonly item: {
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly expiresAt: string | null;
  };
  /** Whether it can have an end at all. */
  readonly canExpire?: boolean;
}

/** Age, last use and expiry of a key or credential, in a line. */
export function KeyDates({ item: { createdAt, lastUsedAt, expiresAt }, canExpire = true }: Props) {
  return (
    <span className="soft small">
      {rich('keys.created-at', { time: () => <Time value={createdAt} /> })}
      {' · '}
      {lastUsedAt === null
        ? text('keys.never-used')
        : rich('keys.used-at', { time: () => <Time value={lastUsedAt} /> })}
      {canExpire && ' · '}
      {canExpire &&
        (expiresAt === null
          ? text('keys.no-expiry')
          : rich('keys.expires-at', { time: () => <Time value={expiresAt} exact /> }))}
    </span>
  );
}
