import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { List, type ListQuery } from './list.tsx';
import { Section } from './section.tsx';

interface Props<T> {
  readonly title: string;
  readonly lead: string;
  readonly query: ListQuery<T>;
  /** Says that the list is empty. */
  readonly empty: string;
  /** Its text: what an entry is for, and what to do. */
  readonly emptyText: string;
  /** Label of the button that opens the dialog; null where the user may not add an entry. */
  readonly add: string | null;
  /** The dialog for a new entry. */
  readonly dialog: (close: () => void) => ReactNode;
  /** Shown below the list. */
  readonly foot?: ReactNode;
  readonly children: (item: T) => ReactNode;
}

/** Part of a page: a list, with a button that opens the dialog for a new entry. */
export function ListSection<T extends { readonly id: string }>({
  title,
  lead,
  query,
  empty,
  emptyText,
  add,
  dialog,
  foot,
  children,
}: Props<T>) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={title}
      lead={lead}
      action={
        add !== null && (
          <Button small onPress={() => setAdding(true)}>
            {add}
          </Button>
        )
      }
    >
      <List
        query={query}
        label={title}
        keyOf={({ id }) => id}
        empty={
          <p className="soft small">
            <strong>{empty}.</strong> {emptyText}
          </p>
        }
      >
        {children}
      </List>
      {foot}
      {isAdding && dialog(() => setAdding(false))}
    </Section>
  );
}
