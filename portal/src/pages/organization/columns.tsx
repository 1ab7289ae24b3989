import { text } from '../../messages/index.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Returns the column that says which entries are disabled. */
export const statusColumn = (): Column<{ readonly status: 'active' | 'disabled' }> => ({
  key: 'status',
  label: text('members.status'),
  isWide: true,
  cell: ({ status }) =>
    status === 'disabled' ? (
      <Badge kind="bad">{text('service-accounts.disabled')}</Badge>
    ) : (
      text('members.status.active')
    ),
});

/** Returns the column that says when entries were made, and sorts by it. */
export const createdColumn = (): Column<{ readonly createdAt: string }> => ({
  key: 'created',
  label: text('table.created'),
  sort: 'created',
  isWide: true,
  cell: ({ createdAt }) => <Time value={createdAt} />,
});
