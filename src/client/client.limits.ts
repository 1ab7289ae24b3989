import { Bucket } from '../platform/rate-limit/index.js';

/** Metadata documents of clients that are fetched for requests of one network. */
export const DOCUMENT_LIMIT = new Bucket('client-document', 'RATE_DOCUMENTS');
