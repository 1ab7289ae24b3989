/**
 * Declares the used part of @xmldom/xmldom. Its own declarations add the globals of a browser to
 * the whole program; tsconfig.json points here instead.
 */
export interface Node {
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly parentNode: Node | null;
  readonly childNodes: ArrayLike<Node>;
  readonly firstChild: Node | null;
  readonly nextSibling: Node | null;
}

export interface Attribute extends Node {
  readonly name: string;
  readonly localName: string | null;
  readonly value: string;
}

export interface Element extends Node {
  /** Name with its prefix, as in the text. */
  readonly tagName: string;
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly attributes: ArrayLike<Attribute>;
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string;
  removeChild(child: Node): void;
}

interface Document extends Node {
  readonly documentElement: Element | null;
}

export class DOMParser {
  constructor(options: { readonly errorHandler: (level: string, message: string) => void });
  parseFromString(text: string, type: 'text/xml'): Document;
}
