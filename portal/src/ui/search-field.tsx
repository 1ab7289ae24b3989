import { useEffect, useState } from 'react';
import { Button, Input, Label, SearchField as Base } from 'react-aria-components';
import { keptQuery } from '../session/kept-query.ts';
import { Cross } from './icons.tsx';

const PAUSE_MS = 250;

interface Props {
  readonly label: string;
  /**
   * Called when typing pauses, and by Enter, with the text without blanks around it. Left out where
   * the list reads the address of the page.
   */
  readonly onSearch?: (text: string) => void;
  /** Whether the address of the page keeps the text, as `q`: for the main list of a page. */
  readonly isKept?: boolean;
}

/** Searches a list while typing. */
export function SearchField({ label, onSearch, isKept = false }: Props) {
  const [typed, setTyped] = useState(isKept ? keptQuery.read : '');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isKept) keptQuery.keep(typed.trim());
      onSearch?.(typed.trim());
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, onSearch, isKept]);
  return (
    <Base
      className="field search"
      value={typed}
      onChange={setTyped}
      onSubmit={() => onSearch?.(typed.trim())}
    >
      <Label className="label">{label}</Label>
      <div className="with-button">
        <Input className="control" maxLength={100} />
        {typed !== '' && (
          <Button className="button quiet icon">
            <Cross />
          </Button>
        )}
      </div>
    </Base>
  );
}
