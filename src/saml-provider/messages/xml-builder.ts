import { escapeXml } from '../../external-identity/index.js';

/** Markup, as opposed to text, which is escaped. */
export interface Xml {
  readonly xml: string;
}

/** Names of elements are of this service, never of a request. */
type Name = `${'md' | 'saml' | 'samlp' | 'ds' | 'soap'}:${string}`;

/**
 * Creates an element. Values and texts are escaped; attributes without a value and content that is
 * null are left out.
 */
export function element(
  name: Name,
  attributes: Readonly<Record<string, string | null | undefined>>,
  ...content: readonly (Xml | string | null)[]
): Xml {
  const set = Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [` ${key}="${escapeXml(value)}"`],
  );
  const inner = content.map((part) =>
    part === null ? '' : typeof part === 'string' ? escapeXml(part) : part.xml,
  );
  const start = `<${name}${set.join('')}`;
  return { xml: inner.length === 0 ? `${start}/>` : `${start}>${inner.join('')}</${name}>` };
}
