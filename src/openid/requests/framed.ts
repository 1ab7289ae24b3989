import type { Request } from 'express';

/** Destinations of a request whose answer is shown inside another page. */
const FRAMES = new Set(['iframe', 'frame', 'embed', 'object']);

/** Returns whether a browser opens the request in a frame (Fetch Metadata). */
export const isFramed = (request: Request): boolean => FRAMES.has(String(request.headers['sec-fetch-dest']));
